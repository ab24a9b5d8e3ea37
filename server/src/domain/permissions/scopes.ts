/** The scopes a person's key may hold: it only reads. */
export const userScopes = [
  'podcasts:read',
  'analytics:read',
  'episodes:read',
  'transcripts:read',
] as const;
/** In the order in which the API lists them. Only a connected site's key holds the last one. */
export const scopes = [...userScopes, 'sites:write'] as const;
export type Scope = (typeof scopes)[number];
