import type { PlayerEventName, PlayerFailure } from '../index.d.ts';
import { fetchEpisode, fetchList, fetchPodcast } from './api/catalogue.ts';
import { fetchChapters } from './api/chapters.ts';
import { fetchJson, fetchText, LoadError } from './api/fetch.ts';
import { parseVtt } from './api/parse-vtt.ts';
import type { Episode, Waveform } from './api/wire.ts';
import type { Options } from './options.ts';
import { showOnLockScreen, showPositionOnLockScreen } from './playback/media-session.ts';
import { remember } from './playback/memory.ts';
import { Playback } from './playback/playback.ts';
import { emptyState, type Panel, Store } from './state.ts';
import type { Controls } from './view/ui.ts';

/** What the element does, without how it looks: asks the API, plays, goes on to the next. */
export class Player implements Controls {
  readonly store = new Store();
  readonly playback: Playback;
  readonly #say: (event: PlayerEventName) => void;
  #options: Options | undefined;
  #loading: Promise<void> | undefined;
  /** Told apart from answers that come after something else was asked for. */
  #round = 0;
  #cursor: string | null = null;
  /** Where to begin, when that was said before there was an episode. */
  #beginSeconds: number | undefined;
  /** Whoever wanted to play before the last of these does not want it any more. */
  #pauses = 0;

  constructor(say: (event: PlayerEventName) => void) {
    this.#say = say;
    this.playback = new Playback(this.store, (event) => this.#onPlayback(event));
  }

  /** Asks for what the options name, once; `again` asks anew. */
  load(options: Options, again = false): Promise<void> {
    this.#options = options;
    if (again || !this.#loading) this.#loading = this.#load(options);
    return this.#loading;
  }

  /** Rejects as the audio's own does: with an AbortError when a pause came between. */
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
    // A refusal by the browser leaves the button as it was: to be pressed again.
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

  /** False: there is no more, or it could not be had. */
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

  /** The next one `by` further in the playlist that can be heard; stays where there is none. */
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
      const wanted = await this.#ask(options);
      if (round !== this.#round) return;
      this.store.set({
        podcast: wanted.podcast,
        list: wanted.list,
        hasMore: this.#cursor !== null,
      });
      this.#select(wanted.episode, this.#beginSeconds ?? options.startSeconds);
      this.#beginSeconds = undefined;
      this.#say('ready');
    } catch (error) {
      if (round === this.#round) this.#fail(error);
    }
  }

  async #ask(options: Options) {
    const { podcast: ref, episode: episodeRef, playlistRows } = options;
    if (!ref && !episodeRef) throw new LoadError('notFound');
    const named = ref ? fetchPodcast(options, ref) : undefined;
    const first = episodeRef || !playlistRows ? fetchEpisode(options, episodeRef) : undefined;
    // Both are under way; the first that fails is the one that is told.
    const [given, asked] = await Promise.all([named, first]);
    const podcast = given ?? (await fetchPodcast(options, asked?.podcast?.id ?? ''));
    const list = playlistRows ? await fetchList(options, podcast.slug) : undefined;
    this.#cursor = list?.cursor ?? null;
    const episode = asked ?? list?.episodes[0];
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
    this.#say('episodechange');
    if (this.store.state.failure) this.#say('error');
    this.#complete(episode).catch(() => {});
  }

  /** What lists leave out, and the waveform; without them the player is only plainer. */
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
    // Only such as are not listed: as good as none.
    else this.store.set({ episode: { ...episode, chapters_url: null } });
    this.fillPanel();
  }

  async #loadTranscript(): Promise<void> {
    const { episode, cues } = this.store.state;
    if (!episode?.transcript || cues) return;
    const loaded = parseVtt(await fetchText(episode.transcript.url));
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
    this.#say(event);
    if (event === 'ended') this.#onEnded();
  }

  async #onEnded(): Promise<void> {
    this.playback.save();
    const goesOn = await this.step(1);
    // A page may have had it played once more.
    if (!goesOn && this.playback.audio.paused) this.store.set({ playing: false, waiting: false });
  }

  #fail(error: unknown): void {
    this.store.set({ failure: failureOf(error) });
    this.#say('error');
  }
}

function failureOf(error: unknown): PlayerFailure {
  return error instanceof LoadError ? error.failure : 'failed';
}
