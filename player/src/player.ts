import type { PlayerEventName, PlayerFailure } from '../index.d.ts';
import { fetchEpisode, fetchList, fetchPodcast } from './api/catalogue.ts';
import { fetchChapters } from './api/chapters.ts';
import { fetchJson, fetchText, LoadError } from './api/fetch.ts';
import { parseHtml, parseVtt } from './api/parse-vtt.ts';
import type { Episode, Waveform } from './api/wire.ts';
import type { Options } from './options.ts';
import { showOnLockScreen, showPositionOnLockScreen } from './playback/media-session.ts';
import { Playback } from './playback/playback.ts';
import { remember } from './playback/stored-playback.ts';
import { emptyState, type Panel, Store } from './state.ts';
import type { Controls } from './view/ui.ts';

/**
 * The player without its view: loads data from the API, plays, and moves on to the next episode.
 */
export class Player implements Controls {
  readonly store = new Store();
  readonly playback: Playback;
  readonly #emit: (event: PlayerEventName) => void;
  #options: Options | undefined;
  #loading: Promise<void> | undefined;
  /** Increases with every load; a response of an earlier load is discarded. */
  #round = 0;
  #cursor: string | null = null;
  /** The requested start, until there is an episode. */
  #beginSeconds: number | undefined;
  /** Counts pauses: a `play()` that waits gives up when this has changed. */
  #pauses = 0;

  constructor(emit: (event: PlayerEventName) => void) {
    this.#emit = emit;
    this.playback = new Playback(this.store, (event) => this.#onPlayback(event));
  }

  /** Loads what the options name, once; `again` reloads it. */
  load(options: Options, again = false): Promise<void> {
    this.#options = options;
    if (again || !this.#loading) this.#loading = this.#load(options);
    return this.#loading;
  }

  /** Rejects as the audio element does: with an AbortError when it was paused in the meantime. */
  async play(): Promise<void> {
    const pauses = this.#pauses;
    if (this.#loading) this.store.set({ playing: true, waiting: true });
    await this.#loading;
    if (pauses !== this.#pauses) throw new DOMException('Paused.', 'AbortError');
    await this.playback.play();
  }

  pause(): void {
    this.#pauses += 1;
    this.playback.pause();
  }

  toggle = (): void => {
    // If the browser refuses, the button stays as it was, ready for another press.
    if (this.store.state.playing) this.pause();
    else this.play().catch(() => {});
  };

  seek = (seconds: number): void => {
    if (this.store.state.episode) this.playback.seek(seconds);
    else this.#beginSeconds = seconds;
  };

  skip = (seconds: number): void => this.seek(this.store.state.seconds + seconds);

  setRate = (rate: number): void => {
    this.playback.setRate(rate);
    remember({ rate });
  };

  setVolume = (volume: number): void => this.playback.setVolume(volume);

  toggleMute = (): void => {
    const { muted, volume } = this.store.state;
    this.playback.setVolume(volume || 1, !muted && volume > 0);
  };

  open = (panel: Panel | null): void => {
    const next = panel === this.store.state.panel ? null : panel;
    this.store.set({ panel: next });
    this.fillPanel();
  };

  choose = (episode: Episode): void => {
    if (episode.id === this.store.state.episode?.id) this.toggle();
    else this.#goTo(episode);
  };

  /** Resolves to false when there are no more, or loading failed. */
  loadMore = async (): Promise<boolean> => {
    const { list, podcast } = this.store.state;
    if (!this.#options || !podcast || this.#cursor === null) return false;
    const round = this.#round;
    this.store.set({ listFailure: null });
    try {
      const more = await fetchList(this.#options, podcast.slug, this.#cursor);
      if (round !== this.#round) return false;
      this.#cursor = more.cursor;
      this.store.set({
        list: [...(list ?? []), ...more.episodes],
        hasMore: more.cursor !== null,
      });
      return true;
    } catch (error) {
      this.store.set({ listFailure: failureOf(error) });
      return false;
    }
  };

  retry = (): void => {
    const { episode, failure, playing } = this.store.state;
    if (!this.#options) return;
    if (!episode) this.load(this.#options, true);
    else if (failure === 'offline' && !playing) this.store.set({ failure: null });
    else this.playback.play(true).catch(() => {});
  };

  /** Moves by `by` to the next playable episode of the playlist; stays if there is none. */
  async step(by: 1 | -1): Promise<boolean> {
    const { episode } = this.store.state;
    const round = this.#round;
    for (;;) {
      const list = this.store.state.list ?? [];
      const at = list.findIndex(({ id }) => id === episode?.id);
      const rest = at < 0 ? [] : by > 0 ? list.slice(at + 1) : list.slice(0, at).reverse();
      const next = rest.find(({ audio }) => audio.url);
      if (next) this.#goTo(next);
      if (next) return true;
      const mayCome = at < 0 || by > 0;
      if (!mayCome || !(await this.loadMore()) || round !== this.#round) return false;
    }
  }

  #goTo(episode: Episode): void {
    this.#select(episode);
    this.playback.play().catch(() => {});
  }

  async #load(options: Options): Promise<void> {
    const round = ++this.#round;
    const { rate, volume, muted } = this.store.state;
    this.playback.unload();
    this.store.set({ ...emptyState, rate, volume, muted });
    try {
      const wanted = await this.#request(options);
      if (round !== this.#round) return;
      this.store.set({
        podcast: wanted.podcast,
        list: wanted.list,
        hasMore: this.#cursor !== null,
      });
      this.#select(wanted.episode, this.#beginSeconds ?? options.startSeconds);
      this.#beginSeconds = undefined;
      this.#emit('ready');
    } catch (error) {
      if (round === this.#round) this.#fail(error);
    }
  }

  async #request(options: Options) {
    const { podcast: ref, episode: episodeRef, playlistRows } = options;
    if (options.given) return { ...options.given, list: null };
    if (!ref && !episodeRef) throw new LoadError('notFound');
    const named = ref ? fetchPodcast(options, ref) : undefined;
    const first = episodeRef || !playlistRows ? fetchEpisode(options, episodeRef) : undefined;
    // Both requests run at once; the first failure is the one reported.
    const [given, requested] = await Promise.all([named, first]);
    const podcast = given ?? (await fetchPodcast(options, requested?.podcast?.id ?? ''));
    const isSilent = !episodeRef && requested && !requested.audio.url;
    const page = playlistRows || isSilent ? await fetchList(options, podcast.slug) : undefined;
    const list = playlistRows ? page : undefined;
    this.#cursor = list?.cursor ?? null;
    // The newest playable episode, unless the options name one.
    const playable = episodeRef ? undefined : page?.episodes.find(({ audio }) => audio.url);
    const episode = playable ?? requested ?? page?.episodes[0];
    if (!episode) throw new LoadError('notFound');
    return { podcast, episode, list: list?.episodes ?? null };
  }

  #select(episode: Episode, startSeconds?: number): void {
    this.playback.save();
    this.store.set({
      episode,
      chapters: [],
      cues: null,
      peaks: [],
      failure: episode.audio.url ? null : 'noAudio',
    });
    this.playback.load(episode, this.#options?.service ?? '', startSeconds);
    this.#emit('episodechange');
    if (this.store.state.failure) this.#emit('error');
    this.#complete(episode).catch(() => {});
  }

  /** Loads what lists leave out, and the waveform. The player works without them. */
  async #complete(listed: Episode): Promise<void> {
    let episode = listed;
    const isCurrent = () => this.store.state.episode?.id === listed.id;
    if (listed.chapters_url === undefined && this.#options) {
      episode = await fetchEpisode({ ...this.#options, podcast: null }, listed.id);
      if (!isCurrent()) return;
      this.store.set({ episode });
    }
    this.fillPanel();
    if (this.store.state.playing) this.#loadChapters().catch(() => {});
    const url = this.store.state.podcast?.player_waveform && episode.audio.waveform_url;
    if (!url) return;
    const { peaks } = await fetchJson<Waveform>(url);
    if (isCurrent()) this.store.set({ peaks });
  }

  fillPanel = (): void => {
    const { panel, episode } = this.store.state;
    this.store.set({ panelFailure: null });
    if (panel === 'chapters' && episode?.chapters_url === null) this.store.set({ panel: null });
    if (panel === 'transcript' && !episode?.transcript) this.store.set({ panel: null });
    const failed = (error: unknown) => this.store.set({ panelFailure: failureOf(error) });
    if (panel === 'chapters') this.#loadChapters().catch(failed);
    if (panel === 'transcript') this.#loadTranscript().catch(failed);
  };

  async #loadChapters(): Promise<void> {
    const { episode, chapters } = this.store.state;
    if (!episode?.chapters_url || chapters.length) return;
    const loaded = await fetchChapters(episode.chapters_url);
    if (this.store.state.episode !== episode) return;
    if (loaded.length) this.store.set({ chapters: loaded });
    // All chapters are hidden: treat them as none.
    else this.store.set({ episode: { ...episode, chapters_url: null } });
    this.fillPanel();
  }

  async #loadTranscript(): Promise<void> {
    const { episode, cues } = this.store.state;
    if (!episode?.transcript || cues) return;
    const { url, content_type: type } = episode.transcript;
    const text = await fetchText(url);
    const loaded = type === 'text/html' ? parseHtml(text) : parseVtt(text);
    if (this.store.state.episode !== episode || this.store.state.cues) return;
    if (loaded.length) this.store.set({ cues: loaded });
    else this.store.set({ episode: { ...episode, transcript: null } });
    this.fillPanel();
  }

  #onPlayback(event: PlayerEventName): void {
    if (event === 'play') {
      this.#loadChapters().catch(() => {});
      showOnLockScreen(this);
    }
    if (this.store.state.playing) showPositionOnLockScreen(this.store.state);
    this.#emit(event);
    if (event === 'ended') this.#onEnded();
  }

  async #onEnded(): Promise<void> {
    this.playback.save();
    const goesOn = await this.step(1);
    // The page may have restarted it.
    if (!goesOn && this.playback.audio.paused) this.store.set({ playing: false, waiting: false });
  }

  #fail(error: unknown): void {
    this.store.set({ failure: failureOf(error) });
    this.#emit('error');
  }
}

function failureOf(error: unknown): PlayerFailure {
  return error instanceof LoadError ? error.failure : 'failed';
}
