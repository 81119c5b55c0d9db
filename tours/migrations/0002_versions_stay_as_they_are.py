"""What Django's constraints cannot say: a version never changes, and a tour's versions are its own."""

from django.db import migrations

KEPT = ["organization_id", "tour_id", "number", "title", "steps", "digest", "created_at"]

NEVER_CHANGED = f"""
CREATE FUNCTION tour_version_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'version % of tour % never changes: add another', OLD.number, OLD.tour_id
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER tour_version_never_changes
    BEFORE UPDATE ON tours_tourversion FOR EACH ROW
    WHEN (({", ".join(f"OLD.{name}" for name in KEPT)}) IS DISTINCT FROM ({", ".join(f"NEW.{name}" for name in KEPT)}))
    EXECUTE FUNCTION tour_version_refuse_change();
"""

# One column holds the published version, so a tour has one at most; the keys see to it that it is a version of this tour.
ITS_OWN = """
ALTER TABLE tours_tourversion ADD CONSTRAINT one_tour_per_version UNIQUE (tour_id, id);
ALTER TABLE tours_tour
    ADD CONSTRAINT tour_publishes_its_own_version FOREIGN KEY (id, published_version_id)
        REFERENCES tours_tourversion (tour_id, id) DEFERRABLE INITIALLY DEFERRED,
    ADD CONSTRAINT tour_works_on_its_own_version FOREIGN KEY (id, current_version_id)
        REFERENCES tours_tourversion (tour_id, id) DEFERRABLE INITIALLY DEFERRED;
"""


class Migration(migrations.Migration):
    dependencies = [("tours", "0001_initial")]

    operations = [
        migrations.RunSQL(
            NEVER_CHANGED,
            "DROP TRIGGER tour_version_never_changes ON tours_tourversion; DROP FUNCTION tour_version_refuse_change();",
        ),
        migrations.RunSQL(
            ITS_OWN,
            "ALTER TABLE tours_tour DROP CONSTRAINT tour_publishes_its_own_version,"
            " DROP CONSTRAINT tour_works_on_its_own_version;"
            " ALTER TABLE tours_tourversion DROP CONSTRAINT one_tour_per_version;",
        ),
    ]
