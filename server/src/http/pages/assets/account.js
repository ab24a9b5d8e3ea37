// Adds a copy button; without scripts, the secret is selected and copied by hand.
if (navigator.clipboard) {
  for (const button of document.querySelectorAll('[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const { textContent } = document.getElementById(button.dataset.copy);
      await navigator.clipboard.writeText(textContent);
      button.textContent = button.dataset.done;
    });
  }
}
