/**
 * Who may read what with a key. Every keyed endpoint has a heading, with a line for every state
 * below it, and a column for the result of each caller:
 *
 * - a number is the status, with the code that alone goes with it: 200, 404 `not_found`
 * - `scope`, `plan`, `role` are 403 with `insufficient_scope`, `plan_upgrade_required`, `forbidden`
 * - for lists: `in`, `out`: whether the podcast is in the list; `all`, `own`, `none`: which of its
 *   episodes are
 *
 * `signed in` is the line for callers with a session, if it differs from the line `as usual`.
 *
 * `custom` holds episodes.view_all and show.api_access. `on` and `off`: co-hosts whom the episode
 * names, or only the roster; `own` is that one episode.
 */
export const accessTable = `
                                               owner admin editor analyst on    off   custom nobody

GET /v1/me
  as usual; free; lapsed; lapsed, team keys off; lapsed, not named; team keys off; named; not named;
  cut off; lapsed, cut off; draft show; paused; suspended; moved; external; pending; draft; scheduled;
  due; archived; transcript shared; transcript shared, team keys off; only analytics; no analytics
                                               200   200   200    200     200   200   200    200

GET /v1/me/podcasts
  as usual; no analytics; named; draft show; paused; suspended; moved; external; pending; draft;
  scheduled; due; archived; transcript shared
                                               in    in    in     in      in    in    in     out
  team keys off; transcript shared, team keys off
                                               in    in    out    out     out   out   in     out
  free; lapsed; lapsed, team keys off; lapsed, not named; not named; cut off; lapsed, cut off
                                               out   out   out    out     out   out   out    out
  only analytics                               scope scope scope  scope   scope scope scope  scope

GET /v1/me/podcasts/:podcast_id
GET /v1/me/podcasts/:podcast_id/people
  as usual; no analytics; named; draft show; paused; suspended; moved; external; pending; draft;
  scheduled; due; archived; transcript shared
                                               200   200   200    200     200   200   200    404
  team keys off; transcript shared, team keys off
                                               200   200   role   role    role  role  200    404
  free; lapsed; lapsed, team keys off          plan  plan  plan   plan    plan  plan  plan   404
  not named; cut off; lapsed, not named; lapsed, cut off
                                               404   404   404    404     404   404   404    404
  only analytics                               scope scope scope  scope   scope scope scope  scope

GET /v1/me/podcasts/:podcast_id/episodes
  as usual; no analytics; named; draft show; paused; suspended; moved; external; pending; draft;
  scheduled; due; archived; transcript shared
                                               all   all   all    all     own   none  all    404
  team keys off; transcript shared, team keys off
                                               all   all   role   role    role  role  all    404
  free; lapsed; lapsed, team keys off          plan  plan  plan   plan    plan  plan  plan   404
  not named; cut off; lapsed, not named; lapsed, cut off
                                               404   404   404    404     404   404   404    404
  only analytics                               scope scope scope  scope   scope scope scope  scope

GET /v1/me/episodes/:episode_id
GET /v1/me/episodes/:episode_id/show-notes
GET /v1/me/episodes/:episode_id/credits
  as usual; no analytics; named; draft show; paused; suspended; moved; external; pending; draft;
  scheduled; due; archived; transcript shared
                                               200   200   200    200     200   404   200    404
  team keys off; transcript shared, team keys off
                                               200   200   role   role    role  404   200    404
  free; lapsed; lapsed, team keys off          plan  plan  plan   plan    plan  404   plan   404
  not named; cut off; lapsed, not named; lapsed, cut off
                                               404   404   404    404     404   404   404    404
  only analytics                               scope scope scope  scope   scope scope scope  scope

GET /v1/me/episodes/:episode_id/transcript
  as usual; no analytics; named; draft show; paused; suspended; moved; external; pending; draft;
  scheduled; due; archived
                                               200   200   200    role    role  404   role   404
  transcript shared                            200   200   200    200     200   404   200    404
  team keys off                                200   200   role   role    role  404   role   404
  transcript shared, team keys off             200   200   role   role    role  404   200    404
  free; lapsed; lapsed, team keys off          plan  plan  plan   plan    plan  404   plan   404
  not named; cut off; lapsed, not named; lapsed, cut off
                                               404   404   404    404     404   404   404    404
  only analytics                               scope scope scope  scope   scope scope scope  scope

GET /v1/me/podcasts/:podcast_id/analytics/downloads
GET /v1/me/podcasts/:podcast_id/analytics/episodes
GET /v1/me/podcasts/:podcast_id/analytics/breakdowns
GET /v1/me/podcasts/:podcast_id/analytics/platforms
  as usual; only analytics; named; draft show; paused; suspended; moved; external; pending; draft;
  scheduled; due; archived; transcript shared; team keys off; transcript shared, team keys off
                                               200   role  role   role    role  role  role   404
  free; lapsed; lapsed, team keys off          plan  plan  plan   plan    plan  plan  plan   404
  not named; cut off; lapsed, not named; lapsed, cut off
                                               404   404   404    404     404   404   404    404
  no analytics                                 scope scope scope  scope   scope scope scope  scope
  signed in                                    200   200   role   200     role  role  role   404

GET /v1/me/episodes/:episode_id/analytics/downloads
  as usual; only analytics; named; draft show; paused; suspended; moved; external; pending; draft;
  scheduled; due; archived; transcript shared; team keys off; transcript shared, team keys off
                                               200   role  role   role    role  404   role   404
  free; lapsed; lapsed, team keys off          plan  plan  plan   plan    plan  404   plan   404
  not named; cut off; lapsed, not named; lapsed, cut off
                                               404   404   404    404     404   404   404    404
  no analytics                                 scope scope scope  scope   scope scope scope  scope
  signed in                                    200   200   role   200     role  404   role   404
`;

export interface AccessTable {
  readonly callers: readonly string[];
  /** The result of each caller, by endpoint and by state. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
}

/** Throws for a repeated endpoint or state, and for a line of another length. */
export function parseAccessTable(text: string): AccessTable {
  const [head = '', ...lines] = text.split('\n').filter((line) => line.trim() !== '');
  const callers = head.trim().split(/\s+/);
  const rows = new Map<string, Map<string, readonly string[]>>();
  let endpoints: string[] = [];
  let states = '';
  let inHeading = false;
  for (const line of lines) {
    if (!line.startsWith(' ')) {
      endpoints = inHeading ? [...endpoints, line] : [line];
      inHeading = true;
      continue;
    }
    inHeading = false;
    const cells = line.slice(46).trim().split(/\s+/);
    const isCells = cells.length === callers.length && !line.includes(';', 46);
    states += isCells ? line.slice(0, 46) : line;
    if (!isCells) continue;
    for (const endpoint of endpoints) addRow(rows, endpoint, states, cells);
    states = '';
  }
  if (states !== '') throw new Error(`no cells for ${states}`);
  return { callers, rows };
}

function addRow(
  rows: Map<string, Map<string, readonly string[]>>,
  endpoint: string,
  states: string,
  cells: readonly string[],
): void {
  const ofEndpoint = rows.get(endpoint) ?? new Map<string, readonly string[]>();
  rows.set(endpoint, ofEndpoint);
  for (const state of states.split(';').map((name) => name.replace(/\s+/g, ' ').trim())) {
    if (state === '') continue;
    if (ofEndpoint.has(state)) throw new Error(`${endpoint}: ${state} stands there twice`);
    ofEndpoint.set(state, cells);
  }
}
