import { ApiError, readRefusal } from './errors.ts';

interface Picture {
  readonly podcastId: string;
  readonly file: Blob;
  readonly name: string;
}

const tus = { 'Tus-Resumable': '1.0.0' };

/**
 * Uploads a picture of a show in one piece, by the protocol of all uploads; returns the upload's id.
 * A picture is small, so one that fails begins anew.
 */
export async function uploadPicture({ podcastId, file, name }: Picture): Promise<string> {
  const metadata = Object.entries({ purpose: 'image', podcast_id: podcastId, filename: name })
    .map(([key, value]) => `${key} ${encode(value)}`)
    .join(',');
  const created = await send('/app/api/uploads', {
    method: 'POST',
    headers: { ...tus, 'Upload-Length': String(file.size), 'Upload-Metadata': metadata },
  });
  const address = new URL(created.headers.get('Location') ?? '', window.location.origin);
  await send(address.pathname, {
    method: 'PATCH',
    headers: { ...tus, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
    body: file,
  });
  return address.pathname.slice(address.pathname.lastIndexOf('/') + 1);
}

async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new ApiError({ status: 0, code: 'offline', message: 'The server did not answer.' });
  }
  if (!response.ok) throw await readRefusal(response);
  return response;
}

/** Base64 of UTF-8. */
function encode(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
