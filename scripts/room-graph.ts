/** The graph of rooms in ARCHITECTURE.md, drawn from the imports of `src`. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Room, roomAndTier } from '../test/support/rooms.ts';

type Graph = ReadonlyMap<Room, ReadonlySet<Room>>;

/** ARCHITECTURE.md with a fresh graph. */
export function withRoomGraph(text: string, root: string): string {
  const graph = graphOf(root);
  const lines = [...graph].flatMap(([room, targets]) =>
    [...targets]
      .filter((target) => !isReached(graph, targets, target))
      .map((target) => `    ${nodeOf(room)} --> ${nodeOf(target)}`),
  );
  const drawing = ['```mermaid', 'graph TD', ...lines.sort(), '```'].join('\n');
  return text.replace(
    /(<!-- rooms -->\n)[\s\S]*?(<!-- \/rooms -->)/,
    (_, start, end) => `${start}${drawing}\n${end}`,
  );
}

/** Which rooms each room imports; what wires them together is left out. */
function graphOf(root: string): Graph {
  const graph = new Map<Room, Set<Room>>();
  const names = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  for (const name of names) {
    if (!/\.tsx?$/.test(name) || /\.test\.tsx?$/.test(name)) continue;
    const path = join('src', name);
    const from = roomAndTier(path);
    if (from.tier === 'wiring') continue;
    const text = readFileSync(join(root, path), 'utf8');
    for (const [, target = ''] of text.matchAll(/ from '(\.[^']+)'/g)) {
      const to = join(dirname(path), target);
      if (!to.startsWith('src/')) continue;
      const { room, tier, order } = roomAndTier(to);
      // Imports against the order are exceptions, which the test of rooms lists.
      if (tier !== 'wiring' && order < from.order)
        graph.getOrInsert(from.room, new Set()).add(room);
    }
  }
  return graph;
}

/** Whether another one of `targets` imports the target, directly or not. */
function isReached(graph: Graph, targets: ReadonlySet<Room>, target: Room): boolean {
  const waiting = [...targets].filter((other) => other !== target);
  const seen = new Set<Room>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const further = graph.get(next) ?? [];
    for (const room of further) {
      if (room === target) return true;
      waiting.push(room);
    }
  }
  return false;
}

/** Slashes are no part of names in the graph. */
function nodeOf(room: Room): string {
  return room.includes('/') ? `${room.replace('/', '_')}[${room}]` : room;
}
