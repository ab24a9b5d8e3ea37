// Enhances the listen page, which is complete without it.
let main = document.querySelector('podstead-player');
// If the player's script did not run, use the fallback audio.
const isPlain = !customElements.get('podstead-player');
if (isPlain) document.body.classList.add('plain');

// The player that stays while listeners move between pages: loaded when somebody listens or queues.
// Previews and error pages have none.
const visitText = document.querySelector('#visit > script')?.textContent;
if (!visitText) document.body.classList.add('alone');
let loading;
const loadVisit = () => {
  loading ??= new Promise((resolve, reject) => {
    if (isPlain || !visitText) return reject();
    const { script: src, integrity } = JSON.parse(visitText);
    const script = Object.assign(document.createElement('script'), { type: 'module' });
    script.onload = () => resolve(window.podsteadVisit);
    script.onerror = reject;
    document.head.append(Object.assign(script, { integrity, crossOrigin: 'anonymous', src }));
  });
  return loading;
};

// Replaces the button with a player that starts playing; the focus moves to it.
const playInPlace = (button) => {
  const closed = button.closest('details');
  if (isPlain) {
    closed.open = true;
    closed.querySelector('audio').play();
    return;
  }
  const another = document.createElement('podstead-player');
  const { podcast, color, theme = 'auto' } = JSON.parse(visitText);
  const said = { layout: 'compact', theme, episode: button.dataset.episode, podcast, color };
  for (const [name, value] of Object.entries(said)) another.setAttribute(name, value);
  closed.replaceWith(another);
  another.focus();
  another.play();
};

// A trailer that isn't an episode plays in the page, in the browser's own player.
const toggleTrailer = (button) => {
  const closed = button.closest('details');
  const audio = closed.querySelector('audio');
  closed.open = true;
  if (audio.paused) audio.play().catch(() => {});
  else audio.pause();
};
// It and the player at the bottom play one at a time.
const docked = () =>
  document.querySelector('.visit')?.shadowRoot?.querySelector('podstead-player') ?? main;
const trailerAudio = () => document.querySelector('[data-trailer] ~ audio');
for (const type of ['play', 'pause', 'ended']) {
  document.addEventListener(
    type,
    ({ target }) => {
      if (target !== trailerAudio()) return;
      const button = target.parentElement.querySelector('[data-trailer]');
      button.toggleAttribute('data-playing', !target.paused);
      if (type === 'play' && !isPlain) docked()?.pause();
    },
    true,
  );
}
document.addEventListener('podstead-time', () => {
  if (docked()?.paused === false) trailerAudio()?.pause();
});

const playFrom = (seconds) => {
  if (window.podsteadVisit?.isOpen) return window.podsteadVisit.playFrom(seconds);
  const audio = isPlain ? main.querySelector('audio') : main;
  audio.currentTime = seconds;
  audio.play();
};

const copy = async (button) => {
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
  const { textContent: label, dataset } = button;
  if (label === dataset.done) return;
  button.textContent = dataset.done;
  // What is to be copied may change.
  setTimeout(() => {
    button.textContent = label;
  }, 4000);
};

// The picture to share becomes that of the sentence whose time was chosen in the transcript.
const showQuote = (time) => {
  const field = document.getElementById('picture');
  const place = field?.closest('[data-quote]');
  if (!place || !time.closest('.said')) return;
  field.value = `${field.value.split('?')[0]}?t=${time.dataset.t}`;
  place.querySelector('label').textContent = place.dataset.quote.replace('\n', time.textContent);
};

document.addEventListener('click', (event) => {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const found = event.target.closest(
    '[data-episode], [data-t], [data-copy], [data-queue], [data-trailer]',
  );
  if (!found) return;
  event.preventDefault();
  const { copy: copied, queue, episode, t, trailer } = found.dataset;
  if (copied) copy(found);
  else if (trailer !== undefined) toggleTrailer(found);
  else if (queue) {
    loadVisit().then(
      (visit) => visit.toggleQueued(queue),
      () => {},
    );
  } else if (!episode) {
    playFrom(Number(t));
    showQuote(found);
  } else if (isPlain) playInPlace(found);
  else {
    loadVisit().then(
      (visit) => visit.toggle(episode),
      () => playInPlace(found),
    );
  }
});

// Before a press, so that the press can play at once.
for (const type of ['pointerover', 'focusin']) {
  document.addEventListener(type, ({ target }) => {
    if (target.closest?.('.play, [data-queue]')) loadVisit().catch(() => {});
    if (target.matches?.('input[readonly]') && type === 'focusin') target.select();
  });
}

// The player's events do not bubble. One that plays moves to the bottom of the window.
document.addEventListener(
  'play',
  ({ target }) => {
    if (target.localName !== 'podstead-player') return;
    loadVisit().then(
      (visit) => visit.takeOver(target),
      () => {},
    );
  },
  true,
);

const read = (area, key) => {
  try {
    return JSON.parse(window[area].getItem(key));
  } catch {
    return null;
  }
};
// An episode was begun, finished or queued on this device.
const resume = () => {
  const kept = [
    read('sessionStorage', 'podstead-visit'),
    read('localStorage', 'podstead-queue'),
    read('localStorage', 'podstead-heard'),
  ];
  const isBegun = Object.keys(read('localStorage', 'podstead')?.at ?? {}).length > 0;
  if (!isBegun && !kept.some(Boolean)) return;
  loadVisit().then(
    (visit) => visit.resume(),
    () => {},
  );
};
resume();
// The browser has kept this page as it was left. Since then, the listener may have played on elsewhere.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) resume();
});

// A history entry of an earlier document, whose player was closed.
let shown = location.pathname + location.search;
addEventListener('popstate', () => {
  const isOther = location.pathname + location.search !== shown;
  if (isOther && !window.podsteadVisit) location.reload();
});

// Apps for the reader's device come first, and the lists keep their lengths.
const sortApps = () => {
  const [firstApps, moreApps] = document.querySelectorAll('[data-apps]');
  if (!moreApps) return;
  // The server puts this function before the script.
  const device = detectPlatform(navigator);
  const kinds = device === 'web' ? ['web', 'page'] : ['web', device];
  const apps = [...firstApps.children, ...moreApps.children];
  const runs = ({ dataset }) => kinds.some((kind) => dataset.on.includes(kind));
  const sorted = [...apps.filter(runs), ...apps.filter((app) => !runs(app))];
  const { length } = firstApps.children;
  firstApps.replaceChildren(...sorted.slice(0, length));
  moreApps.replaceChildren(...sorted.slice(length));
};

// The picture of a chapter is elsewhere, and may be gone.
document.addEventListener(
  'error',
  ({ target }) => {
    if (target.matches?.('.still')) target.remove();
  },
  true,
);
// One that failed before this script ran fails again. Nothing happens to those that wait for their turn.
const retryBroken = () => {
  for (const picture of document.querySelectorAll('.still')) {
    if (picture.complete && picture.naturalWidth === 0) picture.setAttribute('src', picture.src);
  }
};

// Days are those of the show's zone. Readers who have another day see the time and the zone, too. Zones
// are about a day apart at most, so the day of the month is enough. Intl would know the zones, but its
// first use takes a phone a tenth of a second.
const nameZones = () => {
  for (const time of document.querySelectorAll('time[data-day]')) {
    const day = new Date(time.dateTime).getDate();
    if (day !== Number(time.dataset.day)) time.textContent = time.title;
  }
};

// A URL may end with a position: #t=754. After playing from there once, the position that the
// player stores wins.
const beginAtLink = () => {
  const [, start] = /^#t=(\d+)$/.exec(location.hash) ?? [];
  if (!main || !start) return;
  if (isPlain) main.querySelector('audio').currentTime = Number(start);
  else main.setAttribute('start', start);
  const forget = () => history.replaceState(history.state, '', location.pathname + location.search);
  main.addEventListener('play', forget, { once: true });
};

const markChapter = (seconds) => {
  const chapters = [...document.querySelectorAll('.place[data-t]')];
  const now = chapters.findLast((link) => Number(link.dataset.t) <= seconds);
  for (const link of chapters) {
    if (link === now) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
};
const pageEpisode = () =>
  JSON.parse(document.querySelector('#visit > script')?.textContent ?? '{}').episode;

const enhance = () => {
  if (isPlain) document.body.classList.add('plain');
  if (navigator.clipboard) {
    for (const button of document.querySelectorAll('[data-copy]')) button.hidden = false;
  }
  sortApps();
  nameZones();
  retryBroken();
};
enhance();
beginAtLink();
main?.addEventListener('timeupdate', () => {
  if (!window.podsteadVisit?.isOpen) markChapter(main.currentTime);
});

// From the player that stays: another page is shown, or it has played on.
document.addEventListener('podstead-page', () => {
  main = document.querySelector('main podstead-player');
  enhance();
});
document.addEventListener('podstead-time', ({ detail: { episode, seconds } }) => {
  if (episode === pageEpisode()) markChapter(seconds);
});

// Escape, or a press outside, closes an open panel.
const openPanels = () => [...document.querySelectorAll('.panel[open]')];
const close = (panel) => {
  if (panel.contains(document.activeElement)) panel.querySelector('summary').focus();
  panel.open = false;
};
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') openPanels().forEach(close);
});
document.addEventListener('pointerdown', ({ target }) => {
  for (const panel of openPanels()) if (!panel.contains(target)) close(panel);
});

// One that opens behind the player at the bottom is moved above it.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (!window.podsteadVisit?.isOpen || !target.matches?.('.panel[open]')) return;
    target.querySelector('.sheet')?.scrollIntoView({ block: 'nearest' });
  },
  true,
);

// Searches while the reader types. If that fails, the form still loads the results.
let searching;
const showFound = async (url, fail = () => {}) => {
  searching?.abort();
  searching = new AbortController();
  const { signal } = searching;
  try {
    const response = await fetch(url, { signal });
    if (!response.ok) return fail();
    const text = await response.text();
    signal.throwIfAborted();
    const page = new DOMParser().parseFromString(text, 'text/html');
    const list = document.getElementById('list');
    list.replaceChildren(...page.getElementById('list').childNodes);
    nameZones();
    document.getElementById('said').textContent = list.querySelector('.found')?.textContent ?? '';
    history.replaceState(history.state, '', url);
    shown = location.pathname + location.search;
    document.dispatchEvent(new Event('podstead-list'));
  } catch {
    // Another search has begun, or there is no connection.
    if (!signal.aborted) fail();
  }
};
const urlOf = (form) => {
  const url = new URL(form.action);
  url.hash = '';
  const words = form.elements.q.value;
  if (words.trim()) url.searchParams.set('q', words);
  return url.href;
};
let typing;
for (const kind of ['input', 'compositionend']) {
  document.addEventListener(kind, ({ target, isComposing }) => {
    const form = target.closest?.('.search');
    if (!form) return;
    clearTimeout(typing);
    searching?.abort();
    // A player in the list goes on playing.
    if (isComposing || document.querySelector('#list podstead-player')) return;
    typing = setTimeout(() => showFound(urlOf(form)), 250);
  });
}
// Otherwise, the player at the bottom would stop.
document.addEventListener('submit', (event) => {
  const form = event.target.closest('.search');
  if (!form || !window.podsteadVisit?.isOpen) return;
  event.preventDefault();
  clearTimeout(typing);
  showFound(urlOf(form), () => form.submit());
});
