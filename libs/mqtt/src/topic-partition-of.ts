/**
 * The topic partition of a key, from 0 to `partitions` - 1: FNV-1a with 32 bits over its UTF-16 code
 * units, mixed, since its low bits are poorly distributed. It must never change: replicas of
 * different versions must agree.
 */
export function topicPartitionOf(key: string, partitions: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  hash ^= hash >>> 16;
  return (hash >>> 0) % partitions;
}
