import { html } from '../../html.ts';
import { createFrontPage } from '../pages/frame.ts';

/** What stands in the place of the app where nobody has built it. */
export const notBuiltPage = createFrontPage({
  title: 'The dashboard is not built',
  body: html`<p>Run <code>npm run dashboard</code> in the folder of Podstead, and start it again.</p>`,
});
