"""Employees, customers and the catalogue."""

from __future__ import annotations

from django.contrib.auth.hashers import check_password, make_password
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _


class EmployeeRole(models.TextChoices):
    ORDERS = "commandes", _("préparatrice de commandes")
    ACCOUNTS = "comptabilite", _("comptabilité")
    SUPPORT = "service-client", _("service client")


class Employee(models.Model):
    """Someone who may sign in to the back-office."""

    username = models.SlugField(max_length=60, unique=True)
    email = models.EmailField(unique=True)
    full_name = models.CharField(max_length=120)
    role = models.CharField(max_length=20, choices=EmployeeRole.choices)
    password = models.CharField(max_length=128)

    class Meta:
        ordering = ["full_name"]

    def __str__(self) -> str:
        return self.full_name

    @property
    def initials(self) -> str:
        return "".join(part[0] for part in self.full_name.split()[:2]).upper()

    def set_password(self, raw_password: str) -> None:
        """Hash a new password; the caller saves."""
        self.password = make_password(raw_password)

    def check_password(self, raw_password: str) -> bool:
        return check_password(raw_password, self.password)


class CustomerKind(models.TextChoices):
    PERSON = "particulier", _("Particulier")
    BUSINESS = "professionnel", _("Professionnel")


class Customer(models.Model):
    """A person or a business that orders from the house."""

    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=20, choices=CustomerKind.choices, default=CustomerKind.PERSON)
    email = models.EmailField()
    phone = models.CharField(max_length=20, blank=True)
    street = models.CharField(max_length=160)
    postal_code = models.CharField(max_length=5)
    city = models.CharField(max_length=80)
    note = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(Lower("email"), name="demo_customer_email_unique")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("demo:customer_detail", args=[self.pk])


class Product(models.Model):
    """An article of the catalogue, with the shop's price and the price businesses pay before tax."""

    reference = models.CharField(max_length=20, unique=True)
    name = models.CharField(max_length=120)
    shop_price = models.DecimalField(max_digits=8, decimal_places=2)
    business_price = models.DecimalField(max_digits=8, decimal_places=2)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(shop_price__gte=0, business_price__gte=0), name="demo_product_prices_not_negative"
            )
        ]

    def __str__(self) -> str:
        return self.name
