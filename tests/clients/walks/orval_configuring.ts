// The configuration with orval: a group, a portal, a setting; v3 alone has it.
import { check, expect } from "./expect";
import * as api from "./meetdeck";

/** Return the resource of an answer; a Problem ends the walk. */
function take<A extends { status: number; data: unknown }, S extends number>(answer: A, ...statuses: S[]) {
  check(statuses.includes(answer.status as S), answer.data);
  return answer.data as Extract<A, { status: S }>["data"];
}

const employeeId = expect(take(await api.listEmployees(), 200)[0]).id;

const groupId = take(await api.createCompetenceGroup({ name: "orval" }), 201).id;
const groups = take(await api.addEmployeeToCompetenceGroups(employeeId, [groupId]), 200);
check(groups.some((one) => one.id === groupId), "a member");
take(await api.deleteCompetenceGroup(groupId), 204);

const teamId = take(await api.createServiceGroup({ name: "Evening", serviceLevel: { priority: 5 } }), 201).id;
const changes = [{ op: "replace" as const, path: "/bufferAfter", value: "00:10:00" }];
const { priority, bufferAfter } = take(await api.updateServiceLevel(teamId, changes), 200).serviceLevel;
check(priority + 1 === 6 && bufferAfter === "00:10:00", "the level");
take(await api.deleteServiceGroup(teamId), 204);

const fields = [{ name: "phone", type: "Phone" as const, validation: { required: true } }];
const portalId = take(await api.createPortal({ name: "orval", fields }), 201).id;
const labelled = [{ op: "add" as const, path: "/labels/-", value: "orval" }];
const portal = take(await api.updatePortal(portalId, labelled), 200);
check(portal.labels[0] === "orval" && portal.fields[0]?.hidden === false, portal);
take(await api.deletePortal(portalId), 204);

const setting = take(await api.getOrganizationSetting(), 200);
const named = [{ op: "replace" as const, path: "/iCalMeetingTitle", value: "Meeting with Nordlys" }];
const changed = take(await api.updateOrganizationSetting(setting.id, named), 200);
check(changed.iCalMeetingTitle === "Meeting with Nordlys", changed);
console.log("walked: a group, a portal, a setting");
