import type {
  PlayerDetail,
  PlayerEpisode,
  PlayerEventName,
  PodsteadPlayerElement,
} from '../index.d.ts';
import { type Attribute, attributes, type Options, readOptions } from './options.ts';
import { leaveLockScreen } from './playback/media-session.ts';
import { Player } from './player.ts';
import { chooseTexts } from './text/language.ts';
import { tryParseTime } from './text/time.ts';
import { View } from './view/view.ts';

/** Nearer than this to what is seen, a player asks for its data. */
const nearPx = 400;

const looks = new Set<Attribute>(['theme', 'color', 'layout']);

/** Where pages are drawn on a server, there are no elements: the module is loaded all the same. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/** `<podstead-player>`: attributes and methods outside, a Player and its View inside. */
export class PodsteadPlayer extends Base implements PodsteadPlayerElement {
  static readonly observedAttributes = attributes;
  /** Where a player without `src` finds the API. */
  static service = '';

  readonly #player = new Player((event) => this.#say(event));
  #view: View | undefined;
  #near: IntersectionObserver | undefined;
  #left: AbortController | undefined;
  #isAsked = false;
  /** The attributes name something else than what was asked for. */
  #isStale = false;

  connectedCallback(): void {
    if (!this.#view) this.#draw();
    this.#left = new AbortController();
    const { signal } = this.#left;
    window.addEventListener('online', () => this.#onOnline(), { signal });
    window.addEventListener('pagehide', () => this.#player.playback.save(), { signal });
    this.#near = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) this.#ask();
      },
      { rootMargin: `${nearPx}px` },
    );
    this.#near.observe(this);
  }

  disconnectedCallback(): void {
    this.#near?.disconnect();
    this.#left?.abort();
    this.#player.pause();
    leaveLockScreen(this.#player);
    this.#player.playback.save();
  }

  attributeChangedCallback(name: Attribute, before: string | null, after: string | null): void {
    if (!this.#view || before === after) return;
    const options = this.#options();
    this.#view.dress(options, this.#player.store.state);
    if (!this.#isAsked && !this.#isStale) return;
    // More rows, or fewer, are the same list.
    const isLook = name === 'playlist' ? before !== null && after !== null : looks.has(name);
    if (name === 'start') this.seek(options.startSeconds ?? this.currentTime);
    else if (!isLook) this.#askAnew();
  }

  async play(): Promise<void> {
    this.#ask();
    await this.#player.play();
  }

  pause(): void {
    this.#player.pause();
  }

  seek(seconds: number): void {
    this.#player.seek(seconds);
  }

  next(): Promise<boolean> {
    return this.#player.step(1);
  }

  previous(): Promise<boolean> {
    return this.#player.step(-1);
  }

  get current(): PlayerEpisode | null {
    return this.#player.store.state.episode;
  }

  get currentTime(): number {
    return this.#player.store.state.seconds;
  }

  set currentTime(seconds: number) {
    this.seek(seconds);
  }

  get duration(): number {
    return this.#player.store.state.durationSeconds;
  }

  get paused(): boolean {
    return !this.#player.store.state.playing;
  }

  get playbackRate(): number {
    return this.#player.store.state.rate;
  }

  set playbackRate(rate: number) {
    this.#player.setRate(rate);
  }

  get volume(): number {
    return this.#player.store.state.volume;
  }

  set volume(volume: number) {
    this.#player.setVolume(volume);
  }

  #draw(): void {
    const root = this.attachShadow({ mode: 'open' });
    const { store, playback } = this.#player;
    const ui = { texts: chooseTexts(this), controls: this.#player };
    const view = new View(root, playback.audio, ui, () => store.state);
    this.#view = view;
    store.listen((state, before) => {
      if (state.podcast !== before.podcast) view.dress(this.#options(), state);
      view.update(state, before);
    });
    view.dress(this.#options(), store.state);
    view.update(store.state, store.state);
  }

  #ask(): void {
    const isStale = this.#isStale;
    this.#isAsked = true;
    this.#isStale = false;
    this.#near?.disconnect();
    this.#player.load(this.#options(), isStale);
  }

  /** Attributes often change in twos and threes. */
  #askAnew(): void {
    this.#isStale = true;
    queueMicrotask(() => {
      if (this.#isStale) this.#ask();
    });
  }

  #options(): Options {
    const service = PodsteadPlayer.service || location.origin;
    const options = readOptions((name) => this.getAttribute(name), service);
    // A frame of the service is told its place as its pages are: …#t=90
    const isOwnPage = location.origin === options.service;
    const place = isOwnPage ? tryParseTime(location.hash.replace(/^#t=/, '')) : undefined;
    return { ...options, startSeconds: options.startSeconds ?? place };
  }

  #onOnline(): void {
    if (this.#player.store.state.failure === 'offline') this.#player.retry();
  }

  #say(event: PlayerEventName): void {
    const { seconds, durationSeconds, episode, failure } = this.#player.store.state;
    const detail: PlayerDetail = {
      currentTime: seconds,
      duration: durationSeconds,
      episode,
      failure,
    };
    this.dispatchEvent(new CustomEvent(event, { detail }));
  }
}
