import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { router } from './routes.tsx';
import 'virtual:palette.css';
import { restoreColorScheme } from './lib/color-scheme.ts';
import { keepApp } from './offline/keep-app.ts';
import { reloadWhenReplaced } from './offline/reload-replaced.ts';
import { showWhatWasDone } from './shell/done-message.ts';
import { watchUser } from './shell/signed-in-user.ts';
import './styles/index.css';
import { Language } from './words/language.tsx';
import { loadLanguage } from './words/locales.ts';

const place = document.getElementById('app');
if (place === null) throw new Error('the page has no place for the app');

reloadWhenReplaced();
restoreColorScheme();
await loadLanguage();
showWhatWasDone((path) => router.history.replace(path));
createRoot(place).render(
  <StrictMode>
    <Language>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </Language>
  </StrictMode>,
);
watchUser();
keepApp();
