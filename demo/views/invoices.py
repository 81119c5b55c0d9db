from __future__ import annotations

from decimal import Decimal

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from demo import selectors, services
from demo.forms.invoices import (
    MAX_LINES,
    InvoiceFilterForm,
    InvoiceForm,
    InvoiceLineFormSet,
    LineFormSet,
    line_initials,
    preview,
)
from demo.models import Invoice
from demo.money import InvoiceTotals
from demo.signin import EmployeeRequest, employee_page

PAGE_SIZE = 20


@require_safe
@employee_page
def invoice_list(request: EmployeeRequest) -> HttpResponse:
    form = InvoiceFilterForm(request.GET)
    form.is_valid()
    found = selectors.invoices(search=form.cleaned_data.get("q", ""), status=form.cleaned_data.get("statut", ""))
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    rows = [(invoice, invoice.is_overdue(timezone.localdate())) for invoice in page]
    return render(request, "maison_oree/invoices/list.html", {"form": form, "page": page, "rows": rows})


@require_http_methods(["GET", "HEAD", "POST"])
@employee_page
def invoice_create(request: EmployeeRequest) -> HttpResponse:
    return _edit(request, None)


@require_http_methods(["GET", "HEAD", "POST"])
@employee_page
def invoice_edit(request: EmployeeRequest, pk: int) -> HttpResponse:
    invoice = get_object_or_404(Invoice.objects.prefetch_related("lines"), pk=pk)
    if not invoice.is_draft:
        messages.warning(request, _("Cette facture est déjà émise : elle ne peut plus être modifiée."))
        return redirect(invoice)
    return _edit(request, invoice)


@require_http_methods(["GET", "HEAD", "POST"])
@employee_page
def invoice_detail(request: EmployeeRequest, pk: int) -> HttpResponse:
    """One invoice; its buttons post here and say what they do in `action`."""
    invoice = get_object_or_404(Invoice.objects.select_related("customer").prefetch_related("lines__product"), pk=pk)
    if request.method == "POST":
        try:
            messages.success(request, _act(invoice, request.POST.get("action", "")))
        except services.RefusedError as refusal:
            messages.error(request, str(refusal))
        return redirect(invoice)
    context = {"invoice": invoice, "totals": invoice.totals, "overdue": invoice.is_overdue(timezone.localdate())}
    return render(request, "maison_oree/invoices/detail.html", context)


def _act(invoice: Invoice, action: str) -> str:
    if action == "issue":
        return _("La facture %(number)s est émise.") % {"number": services.invoice_issue(invoice=invoice).number}
    if action == "pay":
        services.invoice_mark_paid(invoice=invoice)
        return _("La facture %(number)s est marquée comme payée.") % {"number": invoice.reference}
    raise services.RefusedError(_("Action inconnue."))


def _edit(request: EmployeeRequest, invoice: Invoice | None) -> HttpResponse:
    """Show or save a draft. Besides saving, the form's buttons add a line or refresh the totals, without JavaScript."""
    if request.method == "POST":
        action = request.POST.get("action", "")
        form = InvoiceForm(request.POST, invoice=invoice)
        lines = InvoiceLineFormSet(_with_one_more_line(request.POST) if action == "add_line" else request.POST)
        valid = all([form.is_valid(), lines.is_valid()])
        if action not in {"draft", "create"}:
            totals = preview(form, lines)
            _forget_errors(form, lines)
            return _show(request, invoice, form, lines, totals)
        if valid:
            try:
                saved = _save(form, lines, invoice, issue=action == "create")
            except services.RefusedError as refusal:
                form.add_error(None, str(refusal))
            else:
                done = _("%(number)s est enregistré.") if saved.is_draft else _("%(number)s est créée et émise.")
                messages.success(request, done % {"number": saved.reference})
                return redirect(saved)
    else:
        form = InvoiceForm(invoice=invoice, customer=request.GET.get("client", ""))
        lines = InvoiceLineFormSet(initial=line_initials(invoice) if invoice else None)
    totals = invoice.totals if invoice and not form.is_bound else preview(form, lines)
    return _show(request, invoice, form, lines, totals)


def _show(
    request: EmployeeRequest, invoice: Invoice | None, form: InvoiceForm, lines: LineFormSet, totals: InvoiceTotals
) -> HttpResponse:
    context = {"form": form, "lines": lines, "invoice": invoice, "totals": totals, "max_lines": MAX_LINES}
    return render(request, "maison_oree/invoices/form.html", context)


def _save(form: InvoiceForm, lines: LineFormSet, invoice: Invoice | None, *, issue: bool) -> Invoice:
    typed = form.cleaned_data
    return services.invoice_save(
        invoice=invoice,
        customer=typed["customer"],
        lines=lines.lines(),
        discount_percent=typed["discount"],
        vat_rate=Decimal(typed["vat_rate"]),
        due_on=typed["due_on"],
        note=typed["note"],
        issue=issue,
    )


def _with_one_more_line(data: QueryDict) -> QueryDict:
    """What was posted, with room for one more line."""
    more = data.copy()
    count = more.get("lines-TOTAL_FORMS", "")
    if count.isdecimal():
        more["lines-TOTAL_FORMS"] = str(min(int(count) + 1, MAX_LINES))
    return more


def _forget_errors(form: InvoiceForm, lines: LineFormSet) -> None:
    """Someone who only adds a line is not done typing: it is too early to complain."""
    lines.non_form_errors().clear()
    for part in (form, *lines.forms):
        part.errors.clear()
