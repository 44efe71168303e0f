// The configuration with @hey-api/openapi-ts: a group, a portal, a setting; v3 alone has it.
import "./client";
import { check, expect } from "./expect";
import * as api from "./meetdeck";

const employees = await api.listEmployees();
const employeeId = expect(employees.data?.[0], employees.error).id;

const group = await api.createCompetenceGroup({ body: { name: "hey-api" } });
const groupId = expect(group.data, group.error).id;
const groups = await api.addEmployeeToCompetenceGroups({ path: { employeeId }, body: [groupId] });
check(expect(groups.data, groups.error).some((one) => one.id === groupId), "a member");
await api.deleteCompetenceGroup({ path: { groupId } });

const team = await api.createServiceGroup({ body: { name: "Evening", serviceLevel: { priority: 5 } } });
const path = { groupId: expect(team.data, team.error).id };
const level = await api.updateServiceLevel({ path, body: [{ op: "replace", path: "/bufferAfter", value: "00:10:00" }] });
const { priority, bufferAfter } = expect(level.data, level.error).serviceLevel;
check(priority + 1 === 6 && bufferAfter === "00:10:00", level.data);
await api.deleteServiceGroup({ path });

const made = await api.createPortal({
  body: { name: "hey-api", fields: [{ name: "phone", type: "Phone", validation: { required: true } }] },
});
const portalId = expect(made.data, made.error).id;
const portal = await api.updatePortal({
  path: { portalId },
  body: [{ op: "add", path: "/labels/-", value: "hey-api" }],
});
check(portal.data?.labels[0] === "hey-api" && portal.data.fields[0]?.hidden === false, portal.error);
await api.deletePortal({ path: { portalId } });

const setting = await api.getOrganizationSetting();
const changed = await api.updateOrganizationSetting({
  path: { settingId: expect(setting.data, setting.error).id },
  body: [{ op: "replace", path: "/iCalMeetingTitle", value: "Meeting with Nordlys" }],
});
check(changed.data?.iCalMeetingTitle === "Meeting with Nordlys", changed.error);
console.log("walked: a group, a portal, a setting");
