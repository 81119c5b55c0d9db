"""What Django's constraints cannot say: events and feedback are added or deleted, never changed."""

from django.db import migrations

KEPT = {
    "observedevent": "organization_id session_id sequence kind at target_keys payload received_at".split(),
    "feedback": "organization_id session_id recording action step_index new_intent at_event_index applied reason at".split(),
}

REFUSE = """
CREATE FUNCTION shadow_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'row % of % never changes', OLD.id, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
"""


def never_changes(model: str, columns: list[str]) -> str:
    """Return the trigger that refuses to change a table's columns; a deleted account may be forgotten."""
    old, new = (", ".join(f"{row}.{name}" for name in columns) for row in ("OLD", "NEW"))
    return f"""
CREATE TRIGGER {model}_never_changes BEFORE UPDATE ON shadow_{model} FOR EACH ROW
    WHEN (({old}) IS DISTINCT FROM ({new})) EXECUTE FUNCTION shadow_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("shadow", "0001_initial")]

    operations = [
        migrations.RunSQL(
            REFUSE + "".join(never_changes(model, columns) for model, columns in KEPT.items()),
            "".join(f"DROP TRIGGER {model}_never_changes ON shadow_{model};" for model in KEPT)
            + "DROP FUNCTION shadow_refuse_change();",
        ),
    ]
