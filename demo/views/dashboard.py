from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from demo import selectors
from demo.signin import EmployeeRequest, employee_page


@require_safe
@employee_page
def dashboard(request: EmployeeRequest) -> HttpResponse:
    context = {
        "figures": selectors.dashboard_figures(now=timezone.now()),
        "latest_orders": selectors.orders()[:6],
        "today": timezone.localdate(),
    }
    return render(request, "maison_oree/dashboard.html", context)
