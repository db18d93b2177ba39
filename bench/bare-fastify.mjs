/** A widely known peer: a bare Fastify on Node that returns the same bytes. */
import { readFileSync } from 'node:fs';
import { fastify } from 'fastify';

const { body, headers } = JSON.parse(readFileSync(process.env.BENCH_ANSWER ?? '', 'utf8'));
const app = fastify();
app.all('/*', (_request, reply) => {
  reply.headers(headers).send(body);
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
