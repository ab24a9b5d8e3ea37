// Enhances the page of an episode, which is complete without it: links to sentences of the transcript,
// following it, and comments. The server puts listen.js before it. `signal` aborts when another page is
// shown.

const secondOf = ({ id }) => Number(id.slice(2));

const findTranscript = () => {
  const speech = document.querySelector('.speech');
  const sentences = [...(speech?.querySelectorAll('[id^="t="]') ?? [])];
  let marked;
  return {
    speech,
    sentences,
    sentenceAt: (seconds) => sentences.findLast((one) => secondOf(one) <= seconds),
    isMarked: (sentence) => sentence === marked,
    mark(sentence, behavior) {
      marked?.removeAttribute('aria-current');
      sentence?.setAttribute('aria-current', 'true');
      marked = sentence;
      if (behavior) sentence?.scrollIntoView({ block: 'center', behavior });
    },
  };
};

// A URL with a position leads to the sentence that is said there, which may have begun before.
const showLinked = ({ sentenceAt, mark }, signal) => {
  const show = () => {
    const [, second] = /^#t=(\d+)$/.exec(location.hash) ?? [];
    if (second) mark(sentenceAt(Number(second)), 'instant');
  };
  addEventListener('hashchange', show, { signal });
  show();
};

// Follows the playback if the reader wants it, until they scroll elsewhere.
const followAlong = ({ sentenceAt, isMarked, mark }, signal) => {
  const button = document.querySelector('.follow');
  if (!button) return;
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const isFollowing = () => button.getAttribute('aria-pressed') === 'true';
  let heardSeconds = 0;
  const follow = () => {
    const now = sentenceAt(heardSeconds);
    if (isFollowing() && !isMarked(now)) mark(now, calm.matches ? 'instant' : 'smooth');
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
  // The page's own player, and the one that stays at the bottom.
  const sound = isPlain ? main?.querySelector('audio') : main;
  sound?.addEventListener('timeupdate', () => hear(sound.currentTime), { signal });
  const hearVisit = ({ detail: { episode, seconds } }) => {
    if (episode === pageEpisode()) hear(seconds);
  };
  document.addEventListener('podstead-time', hearVisit, { signal });
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

const createQuoteButton = ({ speech, mark }) => {
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
    await navigator.clipboard.writeText(`${location.href.split('#')[0]}#${from.id}`);
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
  const offerSelected = () => {
    const { anchorNode, focusNode } = document.getSelection();
    if (!speech.contains(anchorNode) || !focusNode) return;
    const isBefore = anchorNode.compareDocumentPosition(focusNode) & 2;
    const node = isBefore && speech.contains(focusNode) ? focusNode : anchorNode;
    const element = node.nodeType === 1 ? node : node.parentElement;
    const paragraph = element.closest('.said');
    if (paragraph) offer(paragraph, element.closest('[id^="t="]'));
  };
  speech.addEventListener('pointerover', offerAt);
  speech.addEventListener('focusin', offerAt);
  document.addEventListener('selectionchange', offerSelected, { signal });
};

// Comments are loaded while their place is near, but not seen, so that nothing shifts. A press on the
// link loads them at once.
const offerComments = (signal) => {
  const link = document.querySelector('[data-comments]');
  if (!link) return;
  const observers = [];
  const stop = () => {
    for (const observer of observers) observer.disconnect();
  };
  const load = async () => {
    stop();
    const response = await fetch(link.href, { signal });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const comments = page.querySelector('.comments');
    if (!comments) throw new Error('no comments');
    const hadFocus = document.activeElement === link;
    link.parentElement.replaceWith(comments);
    comments.tabIndex = -1;
    if (hadFocus) comments.focus();
  };
  const check = () => {
    const { top, bottom } = link.getBoundingClientRect();
    const isWithin = (px) => bottom > -px && top < innerHeight + px;
    if (isWithin(innerHeight) && !isWithin(0)) load().catch(() => {});
  };
  for (const rootMargin of ['0px', '100% 0px']) {
    observers.push(new IntersectionObserver(check, { rootMargin }));
  }
  for (const observer of observers) observer.observe(link);
  signal.addEventListener('abort', stop);
  link.addEventListener('click', (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    load().catch(() => location.assign(link.href));
  });
};

let shownPage;
const enhanceEpisode = () => {
  shownPage?.abort();
  shownPage = new AbortController();
  const { signal } = shownPage;
  const transcript = findTranscript();
  if (transcript.sentences.length > 0) {
    showLinked(transcript, signal);
    followAlong(transcript, signal);
    offerLinks(transcript, signal);
  }
  offerComments(signal);
};
enhanceEpisode();
// The player that stays has shown another page.
document.addEventListener('podstead-page', enhanceEpisode);
