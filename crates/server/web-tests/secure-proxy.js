// HTTPS with HTTP/2 in front of a server, as in production, where a proxy has the certificate.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { createSecureServer } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A key and a certificate that nobody has signed. */
async function certificate() {
  const folder = await mkdtemp(join(tmpdir(), 'noughts-tls-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    await promisify(execFile)('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1', '-subj', '/CN=localhost',
      '-keyout', keyFile, '-out', certFile]);
    return { key: await readFile(keyFile), cert: await readFile(certFile) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Headers of a connection, which HTTP/2 does not have. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding'];

const withoutHopByHop = (headers) => Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':') && !HOP_BY_HOP.includes(name)));

/**
 * Starts a proxy in front of a server.
 * @param {string} address of the server
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function startSecureProxy(address) {
  const proxy = createSecureServer({ ...await certificate(), allowHTTP1: true }, (incoming, outgoing) => {
    const headers = { ...withoutHopByHop(incoming.headers), host: incoming.headers[':authority'] ?? incoming.headers.host };
    const forwarded = request(address + incoming.url, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, withoutHopByHop(answer.headers));
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  // WebSockets come over HTTP/1.1.
  proxy.on('upgrade', (incoming, socket) => {
    const forwarded = request(address + incoming.url, { headers: incoming.headers });
    forwarded.on('upgrade', (answer, upstream) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
      socket.write(['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join('\r\n'));
      upstream.pipe(socket).pipe(upstream);
      for (const end of [upstream, socket]) end.on('error', () => [upstream, socket].forEach((other) => other.destroy()));
    });
    forwarded.on('response', () => socket.destroy());
    forwarded.on('error', () => socket.destroy());
    forwarded.end();
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return { url: `https://localhost:${proxy.address().port}`, close: () => proxy.close() };
}
