// A frame too low for the whole player gets the small one, whatever its address asks for.
const lowestPx = 180;
const player = document.querySelector('podstead-player');
const wanted = player.getAttribute('layout');

const fit = () => {
  player.setAttribute('layout', innerHeight < lowestPx ? 'compact' : wanted);
};
addEventListener('resize', fit);
fit();
