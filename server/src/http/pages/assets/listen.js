// Makes a listen page livelier; everything on it is there without this.
const player = document.querySelector('podstead-player');

// A player of its own, playing, where the link was.
const playInPlace = (link) => {
  const another = document.createElement('podstead-player');
  for (const [name, value] of Object.entries({ layout: 'compact', theme: 'auto' })) {
    another.setAttribute(name, value);
  }
  another.setAttribute('episode', link.dataset.episode);
  link.replaceWith(another);
  another.play();
};

const playFrom = (seconds) => {
  player.seek(seconds);
  player.play();
};

const copy = async (button) => {
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
  button.textContent = button.dataset.done;
};

document.addEventListener('click', (event) => {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const found = event.target.closest('[data-episode], [data-t], [data-copy]');
  if (!found) return;
  // Where the player could not be loaded, links lead where they lead.
  if (!found.dataset.copy && !customElements.get('podstead-player')) return;
  event.preventDefault();
  if (found.dataset.copy) return copy(found);
  if (found.dataset.episode) return playInPlace(found);
  playFrom(Number(found.dataset.t));
  history.replaceState(null, '', found.hash);
});

if (navigator.clipboard) {
  for (const button of document.querySelectorAll('[data-copy]')) button.hidden = false;
}
for (const field of document.querySelectorAll('input[readonly]')) {
  field.addEventListener('focus', () => field.select());
}

// An address may end in a place: #t=754
const start = /^#t=(\d+)$/.exec(location.hash);
if (player && start) player.setAttribute('start', start[1]);

const chapters = [...document.querySelectorAll('.place[data-t]')];
player?.addEventListener('timeupdate', () => {
  const now = chapters.findLast((link) => Number(link.dataset.t) <= player.currentTime);
  for (const link of chapters) {
    if (link === now) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
});
