from factories import Api


async def test_templates_are_listed(api: Api) -> None:
    answer = await api.get("v3/present/templates")
    assert [template["name"] for template in answer.json()] == ["Annual review"]
