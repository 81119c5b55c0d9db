from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from demo import selectors, services
from demo.export import orders_csv
from demo.formats import euros
from demo.forms.orders import NoteForm, OrderFilterForm, RefundForm, StatusForm
from demo.models import Order, OrderStatus, RefundReason
from demo.signin import EmployeeRequest, employee_page

PAGE_SIZE = 20


@require_safe
@employee_page
def order_list(request: EmployeeRequest) -> HttpResponse:
    form = OrderFilterForm(request.GET)
    form.is_valid()
    page = Paginator(selectors.orders(form.filters()), PAGE_SIZE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    context = {"form": form, "page": page, "filtered": form.filters() != selectors.OrderFilters(), "query": query}
    return render(request, "maison_oree/orders/list.html", context)


@require_safe
@employee_page
def order_export(request: EmployeeRequest) -> HttpResponse:
    """The orders of the list under the same filters; a filter in error goes back to the list, which says so."""
    form = OrderFilterForm(request.GET)
    if not form.is_valid():
        return redirect(f"{reverse('demo:order_list')}?{request.GET.urlencode()}")
    name = _("commandes-%(day)s.csv") % {"day": f"{timezone.localdate():%Y-%m-%d}"}
    return HttpResponse(
        orders_csv(selectors.orders(form.filters())),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


OrderForms = dict[str, StatusForm | NoteForm | RefundForm]


@require_http_methods(["GET", "HEAD", "POST"])
@employee_page
def order_detail(request: EmployeeRequest, number: str) -> HttpResponse:
    """One order; its three forms post here and say which one they are in `action`."""
    order = get_object_or_404(
        selectors.orders().prefetch_related("lines__product", "events__employee", "events__refund"), number=number
    )
    forms: OrderForms = {
        "status_form": StatusForm(order=order),
        "note_form": NoteForm(initial={"note": order.internal_note}),
        "refund_form": RefundForm(),
    }
    if request.method == "POST":
        action = ACTIONS.get(request.POST.get("action", ""))
        if action is None:
            return HttpResponse(_("Action inconnue."), status=400, content_type="text/plain; charset=utf-8")
        done = action(request, order, forms)
        if done:
            messages.success(request, done)
            return redirect(order)
    return render(request, "maison_oree/orders/detail.html", {"order": order, **forms})


def _change_status(request: EmployeeRequest, order: Order, forms: OrderForms) -> str | None:
    form = StatusForm(request.POST, order=order)
    if form.is_valid():
        new = OrderStatus(form.cleaned_data["status"])
        try:
            services.order_change_status(order=order, seen=form.cleaned_data["seen"], new=new, actor=request.employee)
        except services.RefusedError as refusal:
            form.add_error("status", str(refusal))
        else:
            now = {"number": order.number, "status": new.label}
            return _("La commande %(number)s est passée à « %(status)s ».") % now
    forms["status_form"] = form
    return None


def _save_note(request: EmployeeRequest, order: Order, forms: OrderForms) -> str | None:
    form = NoteForm(request.POST)
    if form.is_valid():
        services.order_save_note(order=order, note=form.cleaned_data["note"])
        return _("La note interne est enregistrée.")
    forms["note_form"] = form
    return None


def _refund(request: EmployeeRequest, order: Order, forms: OrderForms) -> str | None:
    form = RefundForm(request.POST)
    if form.is_valid():
        try:
            refund = services.order_refund(
                order=order,
                amount=form.cleaned_data["amount"],
                reason=RefundReason(form.cleaned_data["reason"]),
                actor=request.employee,
            )
        except services.RefusedError as refusal:
            form.add_error("amount", str(refusal))
        else:
            told = {"amount": euros(refund.amount), "number": order.number}
            return _("Remboursement de %(amount)s enregistré sur la commande %(number)s.") % told
    forms["refund_form"] = form
    return None


ACTIONS: dict[str, Callable[[EmployeeRequest, Order, OrderForms], str | None]] = {
    "statut": _change_status,
    "note": _save_note,
    "remboursement": _refund,
}
