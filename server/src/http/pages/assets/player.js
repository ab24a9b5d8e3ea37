// Frames that are too low for the full player get the compact one, whatever the URL says.
const lowestPx = 180;
const player = document.querySelector('podstead-player');
const wanted = player.getAttribute('layout');

const fit = () => {
  player.setAttribute('layout', innerHeight < lowestPx ? 'compact' : wanted);
};
addEventListener('resize', fit);
fit();

// A frame's URL may end with a position: #t=754
const [, start] = /^#t=([\d:.]+)$/.exec(location.hash) ?? [];
if (start) player.setAttribute('start', start);
if (!customElements.get('podstead-player')) document.body.classList.add('plain');
