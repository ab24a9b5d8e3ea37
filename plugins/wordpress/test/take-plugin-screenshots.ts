import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { launchBrowser } from '../../../player/test/browser.ts';
import { ConnectedSite } from './connected-site.ts';
import { signIn } from './sign-in-to-wordpress.ts';
import { startService } from './start-service.ts';
import { startWordPress } from './start-wordpress.ts';

/**
 * Writes screenshots of the plugin's pages, on a phone and on a desk, to the folder in the first
 * argument. For people who change the pages: node plugins/wordpress/test/take-plugin-screenshots.ts FOLDER
 */
const folder = process.argv[2] ?? 'screenshots';
mkdirSync(folder, { recursive: true });
const artwork = join(folder, 'artwork.png');
const background = { r: 28, g: 63, b: 96 };
await sharp({ create: { width: 1400, height: 1400, channels: 3, background } })
  .png()
  .toFile(artwork);

const wordpress = await startWordPress();
const service = await startService(wordpress);
const site = new ConnectedSite(wordpress, service);
const browser = await launchBrowser();
try {
  const page = await (await signIn(browser, wordpress)).newPage();
  const settings = `${wordpress.url}wp-admin/options-general.php?page=podstead`;
  const shoot = async (name: string, url: string, ready: string) => {
    for (const [size, width] of Object.entries({ phone: 360, desk: 1440 })) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(url);
      await page.waitForSelector(ready);
      // Players load when they come into view.
      await page.evaluate('scrollTo(0, document.body.scrollHeight / 2)');
      await page.waitForLoadState('networkidle');
      await page.evaluate('scrollTo(0, 0)');
      await page.screenshot({ path: join(folder, `${name}-${size}.png`), fullPage: true });
    }
  };
  await shoot('before', settings, '#podstead-connect');
  const made = await site.connect(
    {
      users: [{ ref: 'ana', email: 'ana@example.com', password: 'correct horse battery' }],
      podcasts: [
        {
          ref: 'show',
          owner: 'ana',
          slug: 'night-signals',
          title: 'Night Signals',
          artwork,
          episodes: [1, 2, 3].map((number) => ({
            ref: `e${number}`,
            slug: `light-${number}`,
            title: `First light, part ${number}`,
            subtitle: 'What telescopes see before the sky is dark',
            show_notes_html:
              '<p>We talk about the first image of a new telescope.</p><ul><li>How it was made</li><li>What it shows</li></ul>',
            status: 'published',
            published_at: `-${number}d`,
            audio: { tone_seconds: 60 },
          })),
        },
      ],
    },
    { user: 'ana', podcasts: ['show'] },
  );
  await site.sync();
  const post = await site.getPost(made.podcasts.show.episodes.e1.id);
  await site.edit(post.id, { post_title: 'First light: our title' });
  await shoot('after', settings, '#podstead-sync');
  await shoot('post', `${wordpress.url}?p=${post.id}&post_type=podstead_episode`, 'iframe');
  const edit = `${wordpress.url}wp-admin/post.php?post=${post.id}&action=edit`;
  await page.goto(edit);
  await page.waitForSelector('.edit-post-layout');
  // The guide for new users covers the page; the sidebar has the plugin's box.
  await page.evaluate(`
    const editor = wp.data.dispatch( 'core/edit-post' );
    if ( wp.data.select( 'core/edit-post' ).isFeatureActive( 'welcomeGuide' ) ) {
      editor.toggleFeature( 'welcomeGuide' );
    }
    editor.openGeneralSidebar( 'edit-post/document' );`);
  await shoot('edit', edit, '.edit-post-layout');
} finally {
  await browser.close();
  await service.stop();
  await wordpress.stop();
}
