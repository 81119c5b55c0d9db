"""The table of page-skills as the specification writes it."""

from django.db import connection


def test_the_specifications_columns_and_index_are_there_to_the_letter(db):
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name, data_type, character_maximum_length, is_nullable, column_default"
            " FROM information_schema.columns WHERE table_name = 'page_skills'"
        )
        columns = {row[0]: row[1:] for row in cursor.fetchall()}
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE indexname = 'idx_page_skills_org_route'")
        (index,) = cursor.fetchone()
    assert columns["id"] == ("uuid", None, "NO", "gen_random_uuid()")
    assert columns["organization_id"][:3] == ("uuid", None, "NO")
    assert columns["name"][:3] == ("character varying", 255, "NO")
    assert columns["route_pattern"][:3] == ("character varying", 512, "NO")
    assert columns["summary"][:3] == ("text", None, "NO")
    assert columns["actions_json"][:3] == ("jsonb", None, "NO")
    assert columns["created_at"][0] == "timestamp with time zone"
    assert columns["created_at"][3] in ("now()", "CURRENT_TIMESTAMP")
    assert index.endswith("(organization_id, route_pattern)")
