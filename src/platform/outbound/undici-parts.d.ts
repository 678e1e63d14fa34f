/*
 * Only the client of undici is needed. Its index loads `fetch`, web sockets, caches and mocks too: 3.6 MB of heap in
 * every process, and 50 to 100 ms of its start (docs/decisions/0048-a-young-generation-of-its-size.md). The version is pinned; if a
 * later one has these files elsewhere, nothing that sends compiles or starts.
 */
declare module 'undici/lib/dispatcher/client' {
  import { Client } from 'undici';
  export = Client;
}

declare module 'undici/lib/core/errors' {
  import { errors } from 'undici';
  export = errors;
}
