// Makes a listen page livelier; everything on it is there without this.
const player = document.querySelector('.player audio');

// One voice at a time, and its name on the lock screen.
document.addEventListener(
  'play',
  ({ target }) => {
    for (const other of document.querySelectorAll('audio')) {
      if (other !== target) other.pause();
    }
    if (!('mediaSession' in navigator)) return;
    const { title, show, artwork } = target.dataset;
    navigator.mediaSession.metadata = new MediaMetadata({
      title,
      artist: show,
      artwork: artwork ? [{ src: artwork }] : [],
    });
  },
  true,
);

const play = (audio) => audio.play()?.catch(() => {});

// Nothing is known of the audio before it is first played: then the place is kept for later.
const seek = (audio, seconds) => {
  const go = () => {
    audio.currentTime = seconds;
  };
  if (audio.readyState > 0) go();
  else audio.addEventListener('loadedmetadata', go, { once: true });
};

const playInPlace = (link) => {
  const audio = document.createElement('audio');
  audio.controls = true;
  audio.src = link.dataset.audio;
  audio.setAttribute('aria-label', link.getAttribute('aria-label'));
  audio.dataset.title = link.closest('li').querySelector('h3').textContent;
  audio.dataset.show = document.querySelector('h1').textContent;
  link.replaceWith(audio);
  audio.focus();
  play(audio);
};

const copy = async (button) => {
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
  button.textContent = button.dataset.done;
};

document.addEventListener('click', (event) => {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const found = event.target.closest('[data-audio], [data-t], [data-copy]');
  if (!found) return;
  event.preventDefault();
  if (found.dataset.copy) return copy(found);
  if (found.dataset.audio) return playInPlace(found);
  seek(player, Number(found.dataset.t));
  play(player);
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
if (player && start) seek(player, Number(start[1]));

const chapters = [...document.querySelectorAll('.place[data-t]')];
player?.addEventListener('timeupdate', () => {
  const now = chapters.findLast((link) => Number(link.dataset.t) <= player.currentTime);
  for (const link of chapters) {
    if (link === now) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
});
