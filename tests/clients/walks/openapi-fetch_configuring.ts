// The configuration with openapi-fetch: a group, a portal, a setting; v3 alone has it.
import { client } from "./client.ts";
import { check, expect } from "./expect.ts";

const employees = await client.GET("/api/v3/booking/employees");
const employeeId = expect(employees.data?.[0], employees.error).id;

const group = await client.POST("/api/v3/booking/config/competence-groups", { body: { name: "openapi-fetch" } });
const groupId = expect(group.data, group.error).id;
const groups = await client.PATCH("/api/v3/booking/config/competence-groups/employee/{employeeId}/add", {
  params: { path: { employeeId } },
  body: [groupId],
});
check(expect(groups.data, groups.error).some((one) => one.id === groupId), "a member");
await client.DELETE("/api/v3/booking/config/competence-groups/{groupId}", { params: { path: { groupId } } });

const team = await client.POST("/api/v3/booking/config/service-groups", {
  body: { name: "Evening", serviceLevel: { priority: 5 } },
});
const teamId = expect(team.data, team.error).id;
const level = await client.PATCH("/api/v3/booking/config/service-groups/{groupId}/service-level", {
  params: { path: { groupId: teamId } },
  body: [{ op: "replace", path: "/bufferAfter", value: "00:10:00" }],
});
const { priority, bufferAfter } = expect(level.data, level.error).serviceLevel;
check(priority + 1 === 6 && bufferAfter === "00:10:00", level.data);
await client.DELETE("/api/v3/booking/config/service-groups/{groupId}", { params: { path: { groupId: teamId } } });

const made = await client.POST("/api/v3/booking/config/portals", {
  body: { name: "openapi-fetch", fields: [{ name: "phone", type: "Phone", validation: { required: true } }] },
});
const portalId = expect(made.data, made.error).id;
const portal = await client.PATCH("/api/v3/booking/config/portals/{portalId}", {
  params: { path: { portalId } },
  body: [{ op: "add", path: "/labels/-", value: "openapi-fetch" }],
});
check(portal.data?.labels[0] === "openapi-fetch" && portal.data.fields[0]?.hidden === false, portal.error);
await client.DELETE("/api/v3/booking/config/portals/{portalId}", { params: { path: { portalId } } });

const setting = await client.GET("/api/v3/booking/config/organization-settings");
const changed = await client.PATCH("/api/v3/booking/config/organization-settings/{settingId}", {
  params: { path: { settingId: expect(setting.data, setting.error).id } },
  body: [{ op: "replace", path: "/iCalMeetingTitle", value: "Meeting with Nordlys" }],
});
check(changed.data?.iCalMeetingTitle === "Meeting with Nordlys", changed.error);
console.log("walked: a group, a portal, a setting");
