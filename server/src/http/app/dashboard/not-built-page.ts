import { html } from '../../html.ts';
import { createFrontPage } from '../pages/frame.ts';

/** Shown if the app has not been built. */
export const notBuiltPage = createFrontPage({
  title: 'The dashboard is not built',
  body: html`<p>Run <code>npm ci</code> in the folder of Podstead, and start it again.</p>`,
});
