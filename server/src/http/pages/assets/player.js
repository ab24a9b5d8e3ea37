// Frames that are too low for the full player get the compact one, whatever the URL says.
const lowestPx = 180;
const player = document.querySelector('podstead-player');
const wanted = player.getAttribute('layout');

const fit = () => {
  player.setAttribute('layout', innerHeight < lowestPx ? 'compact' : wanted);
};
addEventListener('resize', fit);
fit();

// A frame's URL may end with a position and a look: #t=754&theme=dark&color=336699&playlist=5
const given = new URLSearchParams(location.hash.slice(1));
const set = (name, attribute, form, prefix = '') => {
  const value = given.get(name) ?? '';
  if (form.test(value)) player.setAttribute(attribute, prefix + value);
};
set('t', 'start', /^[\d:.]+$/);
set('theme', 'theme', /^(?:light|dark|auto)$/);
set('color', 'color', /^[\da-f]{6}$/i, '#');
set('playlist', 'playlist', /^\d{1,2}$/);
// Otherwise the browser draws a ground behind the frame, if the page around it has another scheme.
const theme = player.getAttribute('theme');
document.documentElement.style.colorScheme = theme === 'auto' ? 'light dark' : theme;
if (!customElements.get('podstead-player')) document.body.classList.add('plain');
