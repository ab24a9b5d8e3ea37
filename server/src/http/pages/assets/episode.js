// Enhances the page of an episode, which is complete without it: the rest of a long transcript, links to
// its sentences, following it, and comments. The server puts listen.js before it. `signal` aborts when
// another page is shown.

const secondOf = ({ id }) => Number(id.slice(2));

const fetchPage = async (url, signal) => {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error('no page');
  // The policy allows the style of this page only.
  const text = (await response.text()).replace(/<style>.*?<\/style>/s, '');
  return new DOMParser().parseFromString(text, 'text/html');
};

// The page has only the beginning of a long transcript. The rest comes from where the link leads, once.
// Meanwhile, room for it keeps what is below out of sight, so that nothing moves when it comes.
const createRest = (speech, signal) => {
  const link = document.querySelector('.rest > a');
  const place = link?.parentElement;
  const begins = Number(link?.dataset.from ?? Infinity);
  let loading;
  const show = (page) => {
    const rest = [...page.querySelectorAll('.said')].slice(speech.children.length);
    if (rest.length === 0) throw new Error('no rest');
    const hadFocus = document.activeElement === link;
    speech.append(...rest);
    place.replaceWith(page.querySelector('.cut') ?? '');
    if (!hadFocus) return;
    rest[0].tabIndex = -1;
    rest[0].focus({ preventScroll: true });
  };
  const load = async () => {
    place.classList.add('loading');
    try {
      show(await fetchPage(link.href, signal));
    } finally {
      place.classList.remove('loading');
    }
  };
  return {
    link,
    load() {
      loading ??= load();
      return loading;
    },
    isMissing: (seconds) => seconds >= begins && place.isConnected,
    isShown: () => !place?.isConnected,
    // Without scripts, only the whole transcript has what a link to its rest is about.
    urlOf(sentence) {
      const page = secondOf(sentence) >= begins ? link : location;
      return `${page.href.split('#')[0]}#${sentence.id}`;
    },
  };
};

const findTranscript = (signal) => {
  const speech = document.querySelector('.speech');
  let marked;
  return {
    speech,
    rest: createRest(speech, signal),
    sentenceAt(seconds) {
      const sentences = [...speech.querySelectorAll('[id^="t="]')];
      return sentences.findLast((one) => secondOf(one) <= seconds);
    },
    isMarked: (sentence) => sentence === marked,
    mark(sentence, behavior) {
      marked?.removeAttribute('aria-current');
      sentence?.setAttribute('aria-current', 'true');
      marked = sentence;
      if (behavior) sentence?.scrollIntoView({ block: 'center', behavior });
    },
  };
};

// A URL with a position leads to the sentence that is said there, which may have begun before. A reader who
// has come back is where they were.
const showLinked = ({ rest, sentenceAt, mark }, signal) => {
  const show = async (behavior) => {
    const [, second] = /^#t=(\d+)$/.exec(location.hash) ?? [];
    if (!second) return;
    if (rest.isMissing(second)) await rest.load().catch(() => {});
    if (!signal.aborted) mark(sentenceAt(Number(second)), behavior);
  };
  addEventListener('hashchange', () => show('instant'), { signal });
  show(history.state?.place ? undefined : 'instant');
};

// Calls `hear` with the position in the page's episode while it plays: in the page's own player, and in the
// one that stays at the bottom.
const listenAlong = (hear, signal) => {
  const sound = isPlain ? main?.querySelector('audio') : main;
  sound?.addEventListener('timeupdate', () => hear(sound.currentTime), { signal });
  const hearVisit = ({ detail: { episode, seconds } }) => {
    if (episode === pageEpisode()) hear(seconds);
  };
  document.addEventListener('podstead-time', hearVisit, { signal });
};

// Follows the playback if the reader wants it, until they scroll elsewhere.
const followAlong = ({ rest, sentenceAt, isMarked, mark }, signal) => {
  const button = document.querySelector('.follow');
  if (!button) return;
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const isFollowing = () => button.getAttribute('aria-pressed') === 'true';
  let heardSeconds = 0;
  const follow = () => {
    if (!isFollowing()) return;
    if (rest.isMissing(heardSeconds + 20)) rest.load().then(follow, () => {});
    const now = sentenceAt(heardSeconds);
    if (!isMarked(now)) mark(now, calm.matches ? 'instant' : 'smooth');
  };
  const setFollowing = (value) => {
    button.setAttribute('aria-pressed', value);
    mark();
    follow();
  };
  const hear = (seconds) => {
    heardSeconds = seconds;
    follow();
  };
  button.hidden = false;
  button.addEventListener('click', () => setFollowing(!isFollowing()));
  listenAlong(hear, signal);
  const stop = () => isFollowing() && setFollowing(false);
  for (const name of ['wheel', 'touchmove'])
    addEventListener(name, stop, { passive: true, signal });
};

const formatPosition = (seconds) => {
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(Math.floor);
  const [hours, ...rest] = parts;
  const shown = hours > 0 ? parts : rest;
  return shown.map((part, i) => (i ? `${part}`.padStart(2, 0) : part)).join(':');
};

// The link to share begins with what is heard now, if that is wanted. What was chosen stays while the audio
// plays on.
const offerMoment = (signal) => {
  const place = document.querySelector('[data-moment]');
  const field = document.getElementById('page-address');
  if (!place || !field) return;
  const [check, words] = place.children;
  let seconds = 0;
  const hear = (heard) => {
    if (check.checked || heard < 1) return;
    seconds = Math.floor(heard);
    words.textContent = place.dataset.moment.replace('\n', formatPosition(seconds));
    place.hidden = false;
  };
  check.addEventListener('change', () => {
    const [page] = field.value.split('#');
    field.value = check.checked ? `${page}#t=${seconds}` : page;
  });
  listenAlong(hear, signal);
};

const createQuoteButton = ({ speech, rest, mark }) => {
  const button = document.createElement('button');
  let from;
  const say = (text) => {
    button.title = text;
    button.ariaLabel = text;
  };
  button.type = 'button';
  button.className = 'quote';
  button.lang = document.documentElement.lang;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(rest.urlOf(from));
    mark(from);
    say(speech.dataset.done);
    button.classList.add('done');
  });
  const offer = (paragraph, sentence) => {
    const first = sentence ?? paragraph.querySelector('[id]');
    const time = paragraph.querySelector('.time');
    if (!first || first === from) return;
    from = first;
    say(speech.dataset.quote.replace('{time}', formatPosition(secondOf(first))));
    button.classList.remove('done');
    time.after(button);
  };
  return { button, offer };
};

// One button copies the link to a paragraph that is pointed at or has the focus, or to the sentence
// with the selection.
const offerLinks = (transcript, signal) => {
  const { speech } = transcript;
  if (!speech?.dataset.quote || !navigator.clipboard) return;
  const { button, offer } = createQuoteButton(transcript);
  const offerAt = ({ target }) => {
    const paragraph = target.closest('.said');
    if (!paragraph || document.activeElement === button || paragraph.contains(button)) return;
    offer(paragraph);
  };
  // On its way to the button of a selection, the pointer may cross other paragraphs.
  const offerPointed = (event) => {
    const { anchorNode, isCollapsed } = document.getSelection();
    if (isCollapsed || !speech.contains(anchorNode)) offerAt(event);
  };
  const offerSelected = () => {
    const { anchorNode, focusNode } = document.getSelection();
    if (!speech.contains(anchorNode) || !focusNode) return;
    const isBefore = anchorNode.compareDocumentPosition(focusNode) & 2;
    const node = isBefore && speech.contains(focusNode) ? focusNode : anchorNode;
    const element = node.nodeType === 1 ? node : node.parentElement;
    const paragraph = element.closest('.said');
    if (paragraph) offer(paragraph, element.closest('[id^="t="]'));
  };
  speech.addEventListener('pointerover', offerPointed);
  speech.addEventListener('focusin', offerAt);
  document.addEventListener('selectionchange', offerSelected, { signal });
};

// Loads what a link leads to while the link is near, but not seen, so that nothing shifts. A press on it
// loads at once. `ready` is when this may begin.
const loadBeforeSeen = async (link, load, signal, ready) => {
  const observers = [];
  const stop = () => {
    for (const observer of observers) observer.disconnect();
  };
  const begin = () => {
    stop();
    return load();
  };
  const check = () => {
    const { top, bottom } = link.getBoundingClientRect();
    const isWithin = (px) => bottom > -px && top < innerHeight + px;
    if (isWithin(innerHeight) && !isWithin(0)) begin().catch(() => {});
  };
  for (const rootMargin of ['0px', '100% 0px']) {
    observers.push(new IntersectionObserver(check, { rootMargin }));
  }
  link.addEventListener('click', (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    begin().catch(() => location.assign(link.href));
  });
  await ready;
  if (signal.aborted || !link.isConnected) return;
  for (const observer of observers) observer.observe(link);
  signal.addEventListener('abort', stop);
};

// Visitors who only look at the page do not load it. A reader who searches the page wants all of it.
const offerRest = ({ rest: { link, load } }, signal) => {
  if (!link) return;
  const isRead = new Promise((resolve) => {
    for (const type of ['scroll', 'keydown', 'pointermove', 'pointerdown'])
      addEventListener(type, resolve, { once: true, passive: true, signal });
  });
  loadBeforeSeen(link, load, signal, isRead);
  const find = ({ key, ctrlKey, metaKey }) => {
    if (key === 'f' && (ctrlKey || metaKey)) load().catch(() => {});
  };
  addEventListener('keydown', find, { signal });
};

// A page that is loaded again may have only the beginning, and browsers know the height of only those
// paragraphs that they have shown. So a reader who reloads or comes back is brought to the paragraph that
// was in the middle of the window.
const keepPlace = ({ speech, rest }, signal) => {
  const { pathname } = location;
  const paragraphs = speech.children;
  const topOf = (paragraph) => paragraph.getBoundingClientRect().top;
  const findPlace = () => {
    if (!rest.isShown()) return undefined;
    const number = [...paragraphs].findLastIndex((one) => topOf(one) <= innerHeight / 2);
    return number < 0 ? undefined : { number, top: topOf(paragraphs[number]) };
  };
  const keep = () => {
    // Meanwhile, the history may be at another page, which is being loaded.
    if (signal.aborted || location.pathname !== pathname) return;
    const place = findPlace();
    if (place || history.state?.place) history.replaceState({ ...history.state, place }, '');
  };
  let waiting;
  const keepSoon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(keep, 100);
  };
  const begin = async () => {
    const { place } = history.state ?? {};
    if (place) await returnTo(place, rest, paragraphs, signal);
    addEventListener('scroll', keepSoon, { passive: true, signal });
  };
  begin();
};

// Unless the reader goes elsewhere while the rest is loaded.
const returnTo = async ({ number, top }, rest, paragraphs, signal) => {
  const usual = history.scrollRestoration;
  // The browser would scroll by the height that the page had.
  history.scrollRestoration = 'manual';
  let hasMoved = false;
  const moved = new Promise((resolve) => {
    const move = () => {
      hasMoved = true;
      resolve();
    };
    for (const type of ['wheel', 'touchmove', 'keydown'])
      addEventListener(type, move, { once: true, passive: true, signal });
  });
  const shown = rest.isShown() ? undefined : rest.load();
  await Promise.race([shown, moved]).catch(() => {
    hasMoved = true;
  });
  // Paragraphs that come into view get their height, and so does the player, which moves it.
  for (let [frames, still] = [0, 0]; frames < 120 && still < 10; frames += 1) {
    if (hasMoved || signal.aborted) break;
    const from = paragraphs[number]?.getBoundingClientRect().top ?? top;
    scrollBy({ top: from - top, behavior: 'instant' });
    still = Math.abs(from - top) < 1 ? still + 1 : 0;
    await new Promise(requestAnimationFrame);
  }
  if (!signal.aborted) history.scrollRestoration = usual;
};

const offerComments = (signal) => {
  const link = document.querySelector('[data-comments]');
  if (!link) return;
  let isAsked = false;
  link.addEventListener('click', () => {
    isAsked = true;
  });
  const load = async () => {
    const page = await fetchPage(link.href, signal);
    const found = page.querySelector('.comments, .comments-away');
    const comments = found?.className === 'comments' || isAsked ? found : null;
    if (!comments) throw new Error('no comments');
    const hadFocus = document.activeElement === link;
    link.parentElement.replaceWith(comments);
    comments.tabIndex = -1;
    if (hadFocus) comments.focus();
  };
  loadBeforeSeen(link, load, signal);
};

let shownPage;
const enhanceEpisode = () => {
  shownPage?.abort();
  shownPage = new AbortController();
  const { signal } = shownPage;
  const transcript = findTranscript(signal);
  if (transcript.speech) {
    keepPlace(transcript, signal);
    offerRest(transcript, signal);
    showLinked(transcript, signal);
    followAlong(transcript, signal);
    offerLinks(transcript, signal);
  }
  offerMoment(signal);
  offerComments(signal);
};
enhanceEpisode();
// The player that stays has shown another page.
document.addEventListener('podstead-page', enhanceEpisode);
