/**
 * The groups of the Podcasting 2.0 taxonomy and their roles, lower case. Where its own texts spell a
 * name in two ways, both are there.
 */
const taxonomy: Readonly<Record<string, readonly string[]>> = {
  'creative direction': [
    ...['director', 'assistant director', 'executive producer', 'senior producer', 'producer'],
    ...['associate producer', 'development producer', 'creative director'],
  ],
  cast: [
    ...['host', 'co-host', 'guest host', 'guest', 'voice actor', 'narrator', 'announcer'],
    'reporter',
  ],
  writing: [
    ...['author', 'editorial director', 'co-writer', 'writer', 'songwriter', 'guest writer'],
    ...['story editor', 'managing editor', 'script editor', 'script coordinator', 'researcher'],
    ...['editor', 'fact checker', 'translator', 'translater', 'transcriber', 'logger'],
  ],
  'audio production': [
    ...['studio coordinator', 'technical director', 'technical manager', 'audio engineer'],
    ...['remote recording engineer', 'post production engineer'],
  ],
  'audio post-production': [
    ...['audio editor', 'sound designer', 'foley artist', 'composer', 'theme music'],
    ...['music production', 'music contributor'],
  ],
  administration: [
    ...['production coordinator', 'booking coordinator', 'production assistant'],
    ...['content manager', 'marketing manager', 'sales representative', 'sales manager'],
  ],
  visuals: ['graphic designer', 'cover art designer'],
  community: ['social media manager'],
  misc: ['consultant', 'intern'],
  'misc.': ['consultant', 'intern'],
  'video production': [
    ...['camera operator', 'lighting designer', 'camera grip', 'assistant camera'],
  ],
  'video post-production': ['editor', 'assistant editor'],
};

/** Maps each role to the first group that has it. */
const groupByRole = new Map<string, string>();
for (const [group, roles] of Object.entries(taxonomy)) {
  for (const role of roles) if (!groupByRole.has(role)) groupByRole.set(role, group);
}

export const creditRoles: readonly string[] = [...groupByRole.keys()];
export const creditGroups: readonly string[] = Object.keys(taxonomy);

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
