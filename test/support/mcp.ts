/** The official MCP client over HTTP, in every version of the protocol. */
import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';

/** The first version is the one without a handshake. */
export const protocolVersions = [
  '2026-07-28',
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
] as const;
export type ProtocolVersion = (typeof protocolVersions)[number];

/** A client that supports only one version. */
export function makeClient(version: ProtocolVersion): Client {
  const isNew = version === '2026-07-28';
  const mode: VersionNegotiationOptions['mode'] = isNew ? { pin: version } : 'legacy';
  return new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode }, supportedProtocolVersions: [version] },
  );
}

export async function connectHttp(
  url: string,
  key: string,
  version: ProtocolVersion = '2026-07-28',
): Promise<Client> {
  const client = makeClient(version);
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return client;
}

export interface ReportedMatch {
  readonly isError: boolean;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>> & {
    readonly budget: { readonly limit: number; readonly remaining: number; readonly reset: string };
  };
}

/** Calls a tool; the client itself validates the result against the tool's schema. */
export async function callTool(
  client: Client,
  name: string,
  args: object = {},
): Promise<ReportedMatch> {
  const {
    isError = false,
    content,
    structuredContent,
  } = await client.callTool({
    name,
    arguments: { ...args },
  });
  const [first] = content;
  return {
    isError,
    text: first?.type === 'text' ? first.text : '',
    data: structuredContent as ReportedMatch['data'],
  };
}
