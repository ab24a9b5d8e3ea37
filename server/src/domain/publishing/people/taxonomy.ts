import { podcastTaxonomy } from '../../../lib/podcast-taxonomy.ts';

/** Maps each role to the first group that has it. */
const groupByRole = new Map<string, string>();
for (const [group, roles] of Object.entries(podcastTaxonomy)) {
  for (const role of roles) if (!groupByRole.has(role)) groupByRole.set(role, group);
}

export const creditRoles: readonly string[] = [...groupByRole.keys()];
export const creditGroups: readonly string[] = Object.keys(podcastTaxonomy);

/** Returns undefined if the taxonomy does not have the role. */
export function groupOfRole(role: string): string | undefined {
  return groupByRole.get(role);
}

const places = { role: new Set(creditRoles), group: new Set(creditGroups) };

/** True if the taxonomy has it, in any case. */
export function isInTaxonomy(place: 'role' | 'group', value: string): boolean {
  return places[place].has(normalizeTerm(value));
}

/** Converts to the stored form. */
export function normalizeTerm(value: string): string {
  return value.trim().toLowerCase();
}
