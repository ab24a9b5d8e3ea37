export type JsonFields = Readonly<Record<string, unknown>>;

/** Where a value is: its name, behind the names of the objects around it. */
type Path = readonly string[];

/** A value that a line may have. */
export type JsonValue =
  | 'time'
  | 'seconds'
  | 'address'
  | 'method'
  | 'target'
  | 'status'
  | 'bytes'
  | 'bytesWithHeaders'
  | 'range'
  | 'contentRange'
  | 'userAgent'
  | 'referrer'
  | 'purpose';

/** How a server or a CDN names what it logs as JSON. */
export interface JsonFormat {
  /** Whether a line is in this format. Clients choose values, but never names. */
  readonly isOf: (fields: JsonFields) => boolean;
  /** False: no client's request, or one that another line has too. */
  readonly isRequest?: (fields: JsonFields) => boolean;
  /** The first that exists counts. */
  readonly paths: Readonly<Partial<Record<JsonValue, readonly Path[]>>>;
  /** True: `time` is when the request came. Otherwise it is when the response ended. */
  readonly isTimeOfStart?: boolean;
  /** An object with all headers of the request: one that is missing was not sent. */
  readonly allHeaders?: Path;
}

/** Of `request.headers.Range`; names of headers have hyphens, but no dots. */
const paths = (...texts: string[]): Path[] => texts.map((text) => text.split('.'));

/** The names of COUNT-17, and nginx's variables, from which many logs are made. */
const podstead: JsonFormat = {
  isOf: (fields) => fields['remote_addr'] !== undefined,
  paths: {
    time: paths('time', 'msec', 'time_iso8601', 'time_local'),
    seconds: paths('request_time'),
    address: paths('remote_addr'),
    method: paths('method', 'request_method'),
    // nginx rewrites `$uri` on the way; `$request_uri` stays as it was sent.
    target: paths('request_uri', 'uri'),
    status: paths('status'),
    bytes: paths('body_bytes_sent'),
    range: paths('http_range'),
    userAgent: paths('http_user_agent'),
    referrer: paths('http_referer'),
    purpose: paths('purpose', 'http_sec_purpose', 'http_purpose'),
  },
};

/** Logpush of HTTP requests. It can't log the Range header, but the Content-Range of responses. */
const cloudflare: JsonFormat = {
  isOf: (fields) => 'EdgeResponseStatus' in fields || 'EdgeStartTimestamp' in fields,
  // Requests of a Worker, of health checks and the like: `eyeball` are those of clients.
  isRequest: ({ ClientRequestSource: source }) => source === undefined || source === 'eyeball',
  paths: {
    time: paths('EdgeStartTimestamp'),
    address: paths('ClientIP'),
    method: paths('ClientRequestMethod'),
    target: paths('ClientRequestURI'),
    status: paths('EdgeResponseStatus'),
    bytes: paths('EdgeResponseBodyBytes'),
    bytesWithHeaders: paths('EdgeResponseBytes'),
    contentRange: paths('ResponseHeaders.content-range'),
    userAgent: paths('ClientRequestUserAgent'),
    referrer: paths('ClientRequestReferer'),
    purpose: paths('RequestHeaders.sec-purpose', 'RequestHeaders.purpose'),
  },
  isTimeOfStart: true,
};

/** The example of Fastly's documentation, to which operators add `http_range`. */
const fastly: JsonFormat = {
  isOf: (fields) => 'response_status' in fields || 'response_body_size' in fields,
  // With shielding, the server that fetches the file for another one logs the request too.
  isRequest: ({ fastly_is_edge: isEdge }) => isEdge !== false && isEdge !== 'false',
  paths: {
    time: paths('timestamp'),
    address: paths('client_ip'),
    method: paths('request_method'),
    target: paths('url'),
    status: paths('response_status'),
    bytes: paths('response_body_size'),
    range: paths('http_range'),
    userAgent: paths('request_user_agent'),
    referrer: paths('request_referer'),
    purpose: paths('purpose'),
  },
  isTimeOfStart: true,
};

/** Access logs of Caddy. Its other logs may be in the same file. */
const caddy: JsonFormat = {
  isOf: (fields) => 'ts' in fields && 'msg' in fields,
  isRequest: ({ msg }) => msg === 'handled request',
  paths: {
    time: paths('ts'),
    seconds: paths('duration'),
    address: paths('request.client_ip', 'request.remote_ip'),
    method: paths('request.method'),
    target: paths('request.uri'),
    status: paths('status'),
    bytes: paths('size'),
    range: paths('request.headers.Range'),
    userAgent: paths('request.headers.User-Agent'),
    referrer: paths('request.headers.Referer'),
    purpose: paths(
      'request.headers.Sec-Purpose',
      'request.headers.Purpose',
      'request.headers.X-Purpose',
      'request.headers.X-Moz',
    ),
  },
  allHeaders: ['request', 'headers'],
};

/** Access logs of Traefik, which have only the headers that its settings keep. */
const traefik: JsonFormat = {
  isOf: (fields) => 'DownstreamStatus' in fields || 'RequestPath' in fields,
  paths: {
    time: paths('StartUTC', 'StartLocal'),
    address: paths('ClientHost'),
    method: paths('RequestMethod'),
    target: paths('RequestPath'),
    status: paths('DownstreamStatus'),
    bytes: paths('DownstreamContentSize'),
    range: paths('request_Range'),
    userAgent: paths('request_User-Agent'),
    referrer: paths('request_Referer'),
    purpose: paths('request_Sec-Purpose', 'request_Purpose'),
  },
  isTimeOfStart: true,
};

const formats: readonly JsonFormat[] = [podstead, cloudflare, fastly, traefik, caddy];

/** The first format that a line is in; that of COUNT-17 if it is in none. */
export function formatOf(fields: JsonFields): JsonFormat {
  return formats.find((format) => format.isOf(fields)) ?? podstead;
}
