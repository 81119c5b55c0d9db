from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from demo import selectors, services
from demo.forms.customers import CustomerFilterForm, CustomerForm
from demo.models import Customer
from demo.signin import EmployeeRequest, employee_page

PAGE_SIZE = 20


@require_safe
@employee_page
def customer_list(request: EmployeeRequest) -> HttpResponse:
    form = CustomerFilterForm(request.GET)
    form.is_valid()
    found = selectors.customers(search=form.cleaned_data.get("q", ""), kind=form.cleaned_data.get("type", ""))
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    return render(request, "maison_oree/customers/list.html", {"form": form, "page": page})


@require_safe
@employee_page
def customer_detail(request: EmployeeRequest, pk: int) -> HttpResponse:
    customer = get_object_or_404(Customer, pk=pk)
    context = {
        "customer": customer,
        "orders": selectors.orders().filter(customer=customer)[:10],
        "invoice_rows": [
            (invoice, invoice.is_overdue(timezone.localdate()))
            for invoice in selectors.invoices().filter(customer=customer)[:10]
        ],
    }
    return render(request, "maison_oree/customers/detail.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@employee_page
def customer_create(request: EmployeeRequest) -> HttpResponse:
    return _edit(request, None)


@require_http_methods(["GET", "HEAD", "POST"])
@employee_page
def customer_edit(request: EmployeeRequest, pk: int) -> HttpResponse:
    return _edit(request, get_object_or_404(Customer, pk=pk))


def _edit(request: EmployeeRequest, customer: Customer | None) -> HttpResponse:
    form = CustomerForm(request.POST or None, customer=customer)
    if request.method == "POST" and form.is_valid():
        try:
            saved = services.customer_save(customer=customer, **form.cleaned_data)
        except services.RefusedError as refusal:
            form.add_error("email", str(refusal))
        else:
            messages.success(request, _("La fiche de %(name)s est enregistrée.") % {"name": saved.name})
            return redirect(saved)
    return render(request, "maison_oree/customers/form.html", {"form": form, "customer": customer})
