import { isObject, type IdIndex, type MenuBody } from './walk';

/** Items and groups as one graph: groups are the nodes from 0, items follow. */
interface ModifierGraph {
  readonly nodeCount: number;
  readonly groupCount: number;
  /** The node to which entry `edge` of a node's list refers: -1 for a broken entry, undefined past the end. */
  target(node: number, edge: number): number | undefined;
}

/**
 * The index of the first group, in document order, of every set of groups that contain each other through their
 * options; ascending. Groups and items are separate nodes, so the work grows with the entries of the menu rather than
 * the product of both. No recursion, because chains of 5,000 groups are allowed.
 */
export function findCycles(body: MenuBody, groups: IdIndex, items: IdIndex): number[] {
  return firstGroupsOfCycles(graphOf(body, groups, items)).toSorted((a, b) => a - b);
}

function graphOf(body: MenuBody, groups: IdIndex, items: IdIndex): ModifierGraph {
  const groupCount = body.modifier_groups.length;
  return {
    nodeCount: groupCount + body.items.length,
    groupCount,
    target(node, edge) {
      const isGroup = node < groupCount;
      const id = isGroup
        ? idAt(body.modifier_groups[node], 'data_options', edge, 'item_external_id')
        : idAt(
            body.items[node - groupCount],
            'data_modifier_groups',
            edge,
            'modifier_group_external_id',
          );
      if (id === undefined) return undefined;
      return isGroup ? nodeOf(id, items, groupCount) : nodeOf(id, groups, 0);
    },
  };
}

/** The id in one entry of an entity's list: null for a broken entry, undefined past the end. */
function idAt(entity: unknown, list: string, edge: number, key: string): unknown {
  const entries = isObject(entity) ? entity[list] : undefined;
  if (!Array.isArray(entries) || edge >= entries.length) return undefined;
  const entry: unknown = entries[edge];
  return (isObject(entry) ? entry[key] : null) ?? null;
}

function nodeOf(id: unknown, index: IdIndex, firstNode: number): number {
  const found = typeof id === 'string' ? index.get(id) : undefined;
  return found === undefined ? -1 : firstNode + found;
}

/**
 * Tarjan's strongly connected components: each one with more than one node is a cycle, because no node refers to its
 * own kind.
 */
function firstGroupsOfCycles(graph: ModifierGraph): number[] {
  const firstGroups: number[] = [];
  /** Order of the first visit from 1; 0 = not visited, and `DONE` = in a finished component. */
  const visit = new Float64Array(graph.nodeCount);
  const low = new Float64Array(graph.nodeCount);
  const nextEdge = new Uint32Array(graph.nodeCount);
  const open: number[] = [];
  let visits = 0;

  function closeComponent(root: number): void {
    let first = root;
    let size = 0;
    for (let node = -1; node !== root; size++) {
      node = open.pop() ?? root;
      visit[node] = DONE;
      if (node < first) first = node;
    }
    if (size > 1) firstGroups.push(first);
  }

  for (let start = 0; start < graph.groupCount; start++) {
    if (visit[start] !== 0) continue;
    const path = [start];
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      if (visit[node] === 0) {
        visit[node] = low[node] = ++visits;
        open.push(node);
      }
      const edge = nextEdge[node] ?? 0;
      const target = graph.target(node, edge);
      if (target === undefined) {
        path.pop();
        const parent = path.at(-1);
        if (parent !== undefined) low[parent] = Math.min(low[parent] ?? 0, low[node] ?? 0);
        if (low[node] === visit[node]) closeComponent(node);
        continue;
      }
      nextEdge[node] = edge + 1;
      if (target < 0) continue;
      if (visit[target] === 0) path.push(target);
      else if (visit[target] !== DONE) low[node] = Math.min(low[node] ?? 0, visit[target] ?? 0);
    }
  }
  return firstGroups;
}

const DONE = Infinity;
