// Redraws the preview and the code while the form changes; without it, the button does.
const form = document.querySelector('form');
document.getElementById('update').hidden = true;

const offerCopies = () => {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll('[data-copy]')) button.hidden = false;
};

let drawing;
const draw = async () => {
  drawing?.abort();
  drawing = new AbortController();
  const url = `?${new URLSearchParams(new FormData(form))}`;
  const response = await fetch(url, { signal: drawing.signal });
  // Its page says what is wrong.
  if (!response.ok) return location.assign(url);
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const id of ['result', 'start-problem']) {
    document.getElementById(id).replaceWith(document.adoptNode(next.getElementById(id)));
  }
  history.replaceState(null, '', url);
  offerCopies();
};

// While somebody drags through colors or types, nothing is requested.
let waiting;
form.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => draw().catch(() => {}), 300);
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  draw().catch(() => {});
});

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('[data-copy]');
  if (!button) return;
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
  button.textContent = button.dataset.done;
});
offerCopies();
