// What the tests of relationships share.

export const TRAVERSE = `query($s: ID!, $t: String, $d: Int, $dir: RelationshipDirection, $l: Int) {
  traverse(sourceId: $s, relationshipType: $t, maxDepth: $d, direction: $dir, limit: $l) { isComplete nodes { entityId depth path relationship { id } entity { id } } } }`;

export interface Traversal {
  isComplete: boolean;
  nodes: {
    entityId: string;
    depth: number;
    path: string[];
    relationship: { id: string };
    entity: { id: string };
  }[];
}
