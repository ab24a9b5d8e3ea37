/** Paths in a 24 × 24 box: lines of two pixels, except those in `filled`. */
const paths = {
  play: 'M8.5 5.8v12.4L18.5 12z',
  pause: 'M7 5.5h3.2v13H7zM13.8 5.5H17v13h-3.2z',
  back: 'M4.9 9.2a8.3 8.3 0 1 1-1.2 4.3M4.7 5v4.2h3.4',
  forward: 'M19.1 9.2a8.3 8.3 0 1 0 1.2 4.3M19.3 5v4.2h-3.4',
  loud: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9.2a4 4 0 0 1 0 5.6M18.3 6.5a8 8 0 0 1 0 11',
  silent: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5',
  chapters: 'M4 6.5h.01M4 12h.01M4 17.5h.01M8.5 6.5H20M8.5 12H20M8.5 17.5h7',
  transcript: 'M4 5h16v11.5h-8L7.5 20v-3.5H4zM8 9h8M8 12.5h5',
  share: 'M12 14.5v-11M8 7.3l4-4 4 4M7 11H5v9h14v-9h-2',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  close: 'M6 6l12 12M18 6L6 18',
  up: 'M6 14.5l6-6 6 6',
  down: 'M6 9.5l6 6 6-6',
  link: 'M13.5 4.5h6v6M19 5l-8.5 8.5M10 6H5v13h13v-5',
} as const;
const filled = new Set<Icon>(['play', 'pause']);

export type Icon = keyof typeof paths;

const svg = 'http://www.w3.org/2000/svg';

export function createIcon(name: Icon): SVGSVGElement {
  const icon = document.createElementNS(svg, 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  icon.append(document.createElementNS(svg, 'path'));
  setIcon(icon, name);
  return icon;
}

export function setIcon(icon: Element, name: Icon): void {
  icon.setAttribute('class', filled.has(name) ? 'face' : '');
  icon.firstElementChild?.setAttribute('d', paths[name]);
}
