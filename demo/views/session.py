from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from demo.forms.signin import SignInForm
from demo.languages import LANGUAGES, remember_language
from demo.models import Employee
from demo.seed import DEMO_PASSWORD, DEMO_USERNAMES
from demo.signin import EmployeeRequest, authenticate, current_employee, employee_page, house_page, safe_next
from demo.signin import sign_in as remember
from demo.signin import sign_out as forget


@require_http_methods(["GET", "HEAD", "POST"])
@house_page
def sign_in(request: HttpRequest) -> HttpResponse:
    """E-mail and password, or one button per demonstration account."""
    target = safe_next(request, request.POST.get("next") or request.GET.get("next"))
    if request.method != "POST" and current_employee(request):
        return redirect(target)
    form = SignInForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        employee = authenticate(**form.cleaned_data)
        if employee:
            remember(request, employee)
            return redirect(target)
        form.add_error(None, _("Adresse e-mail ou mot de passe incorrect."))
    context = {
        "form": form,
        "next": target,
        "demo_accounts": Employee.objects.filter(username__in=DEMO_USERNAMES),
        "demo_password": DEMO_PASSWORD,
    }
    return render(request, "maison_oree/sign_in.html", context)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    forget(request)
    return redirect("demo:sign_in")


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Show the page that was being read in another language, and every page from now on."""
    response = redirect(safe_next(request, request.POST.get("next")))
    language = request.POST.get("language", "")
    if language in LANGUAGES:
        remember_language(request, response, language)
    return response


@employee_page
def not_found(request: EmployeeRequest, anything: str) -> HttpResponse:
    """The house's own "not found"; an address typed with a final slash is put right first."""
    if anything.endswith("/"):
        query = request.META.get("QUERY_STRING", "")
        return redirect(request.path.rstrip("/") + (f"?{query}" if query else ""))
    raise Http404(anything)
