// Enhances the listen page, which is complete without it.
const main = document.querySelector('podstead-player');
// If the player's script did not run, use the fallback audio.
const isPlain = !customElements.get('podstead-player');
if (isPlain) document.body.classList.add('plain');

// Replaces the button with a player that starts playing; the focus moves to it.
const playInPlace = (button) => {
  const closed = button.closest('details');
  if (isPlain) {
    closed.open = true;
    closed.querySelector('audio').play();
    return;
  }
  const another = document.createElement('podstead-player');
  const look = { podcast: main?.getAttribute('podcast'), color: main?.getAttribute('color') };
  const said = { layout: 'compact', theme: 'auto', episode: button.dataset.episode, ...look };
  for (const [name, value] of Object.entries(said)) {
    if (value) another.setAttribute(name, value);
  }
  closed.replaceWith(another);
  another.focus();
  another.play();
};

const playFrom = (seconds) => {
  const audio = isPlain ? main.querySelector('audio') : main;
  audio.currentTime = seconds;
  audio.play();
};

const copy = async (button) => {
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
  button.textContent = button.dataset.done;
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
  const found = event.target.closest('[data-episode], [data-t], [data-copy]');
  if (!found) return;
  event.preventDefault();
  if (found.dataset.copy) copy(found);
  else if (found.dataset.episode) playInPlace(found);
  else {
    playFrom(Number(found.dataset.t));
    showQuote(found);
  }
});

if (navigator.clipboard) {
  for (const button of document.querySelectorAll('[data-copy]')) button.hidden = false;
}
for (const field of document.querySelectorAll('input[readonly]')) {
  field.addEventListener('focus', () => field.select());
}

// Apps for the reader's device come first, and the lists keep their lengths.
const [firstApps, moreApps] = document.querySelectorAll('[data-apps]');
if (moreApps) {
  // The server puts this function before the script.
  const device = detectPlatform(navigator);
  const apps = [...firstApps.children, ...moreApps.children];
  const runs = ({ dataset }) => /web/.test(dataset.on) || dataset.on.includes(device);
  const sorted = [...apps.filter(runs), ...apps.filter((app) => !runs(app))];
  const { length } = firstApps.children;
  firstApps.replaceChildren(...sorted.slice(0, length));
  moreApps.replaceChildren(...sorted.slice(length));
}

// Days are those of the show's zone. Readers who have another day see the time and the zone, too.
const day = (time, timeZone) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'short', timeZone }).format(new Date(time.dateTime));
const nameZones = (part) => {
  for (const time of part.querySelectorAll('time[data-zone]')) {
    try {
      if (day(time, time.dataset.zone) !== day(time)) time.textContent = time.title;
    } catch {
      // The browser does not know the zone.
    }
  }
};
nameZones(document);

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
  openPanels()
    .filter((panel) => !panel.contains(target))
    .forEach(close);
});

// A URL may end with a position: #t=754. After playing from there once, the position that the
// player stores wins.
const [, start] = /^#t=(\d+)$/.exec(location.hash) ?? [];
if (main && start) {
  if (isPlain) main.querySelector('audio').currentTime = Number(start);
  else main.setAttribute('start', start);
  const forget = () => history.replaceState(null, '', location.pathname + location.search);
  main.addEventListener('play', forget, { once: true });
}

const chapters = [...document.querySelectorAll('.place[data-t]')];
main?.addEventListener('timeupdate', () => {
  const now = chapters.findLast((link) => Number(link.dataset.t) <= main.currentTime);
  for (const link of chapters) {
    if (link === now) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
});

// Searches while the reader types. If that fails, the form still loads the results.
const form = document.querySelector('.search');
const list = document.getElementById('list');
let searching;
const showFound = async (url) => {
  searching?.abort();
  searching = new AbortController();
  const { signal } = searching;
  try {
    const response = await fetch(url, { signal });
    if (!response.ok) return;
    const text = await response.text();
    signal.throwIfAborted();
    const page = new DOMParser().parseFromString(text, 'text/html');
    list.replaceChildren(...page.getElementById('list').childNodes);
    nameZones(list);
    document.getElementById('said').textContent = list.querySelector('.found')?.textContent ?? '';
    history.replaceState(null, '', url);
  } catch {
    // Another search has begun, or there is no connection.
  }
};
let typing;
const search = ({ target, isComposing }) => {
  clearTimeout(typing);
  searching?.abort();
  // A player in the list goes on playing.
  if (isComposing || list.querySelector('podstead-player')) return;
  typing = setTimeout(() => {
    const url = new URL(form.action);
    url.hash = '';
    if (target.value.trim()) url.searchParams.set('q', target.value);
    showFound(url.href);
  }, 250);
};
for (const kind of ['input', 'compositionend']) form?.elements.q.addEventListener(kind, search);
