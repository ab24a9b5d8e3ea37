import { fetchEpisode, fetchList, type List } from '../api/catalogue.ts';
import type { Episode } from '../api/wire.ts';
import { type Heard, isFinished, readHeard } from './heard.ts';
import { type PageInfo, readPage } from './page-info.ts';
import type { Entry } from './queue.ts';

/** More episodes than any serial show has. */
const mostPages = 20;
/** Episodes without audio that are passed over. */
const mostWithoutAudio = 20;

/**
 * Offers at the top of a serial show's page what comes next for this listener (PAGE-30): the episode that
 * was played last, or, if it was finished, the first one after it that was not. Resolves to whether the
 * page offers another one now.
 */
export async function offerContinuation(page: PageInfo): Promise<boolean> {
  const place = document.querySelector<HTMLElement>('.latest[data-continue]');
  const heard = place && readHeard(page.podcast);
  if (!heard) return false;
  const episode = await findContinuation(page, heard);
  // In the meantime, the listener may have gone to another page, or played something.
  const isSame = place.isConnected && readHeard(page.podcast)?.last === heard.last;
  if (!episode || !isSame) return false;
  show(place, episode);
  return true;
}

async function findContinuation(
  { podcast, script }: PageInfo,
  heard: Heard,
): Promise<Episode | undefined> {
  const service = new URL(script).origin;
  const { last } = heard;
  if (!isFinished(heard, last)) return fetchEpisode({ service, podcast }, last);
  const newest: Episode[] = [];
  let cursor: string | null = '';
  for (let pages = 0; pages < mostPages && cursor !== null; pages += 1) {
    const list: List = await fetchList({ service, season: null }, podcast, cursor);
    newest.push(...list.episodes);
    cursor = list.cursor;
    const at = newest.findIndex(({ id }) => id === last);
    if (at >= 0) return newest.slice(0, at).findLast((episode) => isLeft(heard, episode));
  }
  return undefined;
}

/** The next episode with audio that was published after this one, as the pages of episodes tell. */
export async function findNewer(
  { script }: PageInfo,
  ended: Entry | undefined,
): Promise<Entry | undefined> {
  if (!ended) return undefined;
  const from = { service: new URL(script).origin, podcast: ended.podcast };
  let episode = await fetchEpisode(from, ended.id);
  for (let looked = 0; looked <= mostWithoutAudio; looked += 1) {
    const response = await fetch(episode.links.listen);
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const slug = readPage(page)?.next;
    if (!slug) break;
    episode = await fetchEpisode(from, slug);
    if (episode.audio.url) return { ...ended, id: episode.id, title: episode.title };
  }
  return undefined;
}

function isLeft(heard: Heard, { id, audio, episode_type: type }: Episode): boolean {
  return audio.url !== null && type !== 'trailer' && !isFinished(heard, id);
}

/** Nothing moves: the title keeps its number of lines. */
function show(place: HTMLElement, episode: Episode): void {
  const { id, title, links, episode_number: number, episode_type: type } = episode;
  const { continue: word = '', continueNumbered: numbered } = place.dataset;
  const [label, name] = place.querySelectorAll('p');
  const link = name?.querySelector('a');
  if (!label || !name || !link) return;
  const { lang } = document.documentElement;
  const written = new Intl.NumberFormat(lang || 'en').format(number);
  // English words on a page in a language that the pages don't support are in a <span>.
  (label.firstElementChild ?? label).textContent =
    numbered && type === 'full' ? numbered.replace('{number}', written) : word;
  const lines = name.clientHeight / Number.parseFloat(getComputedStyle(name).lineHeight);
  // The player shows the title itself until it is at the bottom.
  if (lines > 0) name.style.setProperty('--lines', String(Math.round(lines)));
  link.href = links.listen;
  (link.firstElementChild ?? link).textContent = title;
  // Its player, or the button in its place.
  place.querySelector('podstead-player')?.setAttribute('episode', id);
  place.querySelector('[data-episode]')?.setAttribute('data-episode', id);
}
