import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import gossipGrpc from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import grpc from '@grpc/grpc-js';
import { type Behaviour, streamsOf } from './eventstoredb-double-calls.ts';
import { DoubleLog } from './eventstoredb-double-log.ts';
import { sharedAppends } from './eventstoredb-double-shared-appends.ts';

export interface EventStoreDbCluster {
  url: string;
  /**
   * Makes the leader hang, as after `kill -STOP`: its sockets stay open, but it reads and writes nothing. The
   * next server becomes the leader.
   */
  hangLeader(): void;
  /** Lets the server that hangs run again, as a follower. */
  resume(): void;
  close(): Promise<void>;
}

interface Node {
  port: number;
  hung: boolean;
  /** The connections of clients, and the connections to which they are relayed. */
  sockets: Set<Socket>;
  front: Server;
  server: grpc.Server;
}

/**
 * Starts several servers of EventStoreDB that share a log and describe the cluster to clients (`Gossip.cs`).
 * Clients connect through a relay, so that a server that hangs does not even answer HTTP/2 pings.
 */
export async function startEventStoreDbCluster(size = 3): Promise<EventStoreDbCluster> {
  const log = new DoubleLog();
  const nodes: Node[] = [];
  let leader = 0;
  const members = (): gossip.ClusterInfo =>
    new gossip.ClusterInfo().setMembersList(nodes.map((node) => memberOf(node, node === nodes[leader])));
  for (let n = 0; n < size; n += 1) {
    nodes.push(await startNode(log, () => (n === leader ? undefined : nodes[leader]), members));
  }
  return {
    url: `esdb://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}?tls=false&gossipTimeout=1`,
    hangLeader() {
      const node = nodes[leader];
      leader = (leader + 1) % nodes.length;
      if (!node) return;
      node.hung = true;
      for (const socket of node.sockets) socket.pause();
    },
    resume() {
      for (const node of nodes) {
        node.hung = false;
        for (const socket of node.sockets) socket.resume();
      }
    },
    async close() {
      for (const { server, front, sockets } of nodes) {
        server.forceShutdown();
        for (const socket of sockets) socket.destroy();
        await new Promise((closed) => front.close(closed));
      }
    },
  };
}

async function startNode(
  log: DoubleLog,
  leaderElsewhere: () => Node | undefined,
  members: () => gossip.ClusterInfo,
): Promise<Node> {
  const server = new grpc.Server();
  const behaviour: Behaviour = {
    log,
    stalled: false,
    oldWording: false,
    filterMs: 0,
    silences: 0,
    onSubscription: () => undefined,
    onSent: () => undefined,
    onRead: () => undefined,
    onStored: () => true,
    onAppend: () => undefined,
    fateOf: () => undefined,
    leader: () => {
      const node = leaderElsewhere();
      return node && { address: '127.0.0.1', port: node.port };
    },
  };
  const calls = { ...streamsOf(behaviour), batchAppend: sharedAppends(behaviour) };
  server.addService(streamsGrpc.StreamsService, calls);
  server.addService(gossipGrpc.GossipService, {
    read: (_call: unknown, answer: grpc.sendUnaryData<gossip.ClusterInfo>) => answer(null, members()),
  });
  const inner = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  const node: Node = { port: 0, hung: false, sockets: new Set(), front: createServer(), server };
  node.front.on('connection', (outside) => relay(node, outside, inner));
  await new Promise<void>((listening) => node.front.listen(0, '127.0.0.1', listening));
  node.port = (node.front.address() as AddressInfo).port;
  return node;
}

function relay(node: Node, outside: Socket, port: number): void {
  const inside = connect(port, '127.0.0.1');
  for (const [from, to] of [
    [outside, inside],
    [inside, outside],
  ] as const) {
    node.sockets.add(from);
    from.on('data', (bytes) => to.write(bytes));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      node.sockets.delete(from);
      to.destroy();
    });
    if (node.hung) from.pause();
  }
}

function memberOf(node: Node, leads: boolean): gossip.MemberInfo {
  const { VNodeState } = gossip.MemberInfo;
  return new gossip.MemberInfo()
    .setInstanceId(new shared.UUID().setString(crypto.randomUUID()))
    .setTimeStamp(String(Date.now() * 10_000))
    .setState(leads ? VNodeState.LEADER : VNodeState.FOLLOWER)
    .setIsAlive(!node.hung)
    .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(node.port));
}
