// A seccomp filter for tools: a small BPF program that refuses the system calls that only break-outs need.
// Assembled here, so that nothing has to be installed.

/** The kernel's identifier of this machine's architecture, and its system call numbers. */
interface Machine {
  readonly audit: number;
  /** First number of another calling convention on the same machine (x32). */
  readonly foreign?: number;
  readonly refused: readonly number[];
  readonly clone: number;
  readonly unshare: number;
  readonly socket: readonly number[];
  readonly ioctl: number;
  /** Calls that create device nodes, with the index of their mode argument. */
  readonly mknod: readonly (readonly [call: number, mode: number])[];
  /** Memory that belongs to no process and no directory, so that no limit would cover it. */
  readonly memfd: number;
}

/**
 * Identical on all machines since Linux 5.1: io_uring, the mount calls, pidfd_getfd, quotactl_fd,
 * memfd_secret, open_tree_attr.
 */
const NEWER = [425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 443, 447, 467];
const CLONE3 = 435;

const MACHINES: Readonly<Partial<Record<NodeJS.Architecture, Machine>>> = {
  x64: {
    audit: 0xc000003e,
    foreign: 0x40000000,
    refused: [
      101, // ptrace
      103, // syslog
      153,
      154,
      155,
      156, // vhangup, modify_ldt, pivot_root, _sysctl
      159,
      161,
      163,
      164,
      165,
      166,
      167,
      168,
      169,
      170,
      171,
      172,
      // adjtimex, chroot, acct, settimeofday, mount, umount2, swapon, swapoff, reboot, sethostname,
      // setdomainname, iopl, ioperm
      173,
      174,
      175,
      176,
      177,
      178,
      179,
      180, // modules, quotactl, nfsservctl
      212,
      227,
      246,
      248,
      249,
      250, // lookup_dcookie, clock_settime, kexec_load, add_key, request_key, keyctl
      256,
      279,
      298,
      300,
      304,
      305,
      // migrate_pages, move_pages, perf_event_open, fanotify_init, open_by_handle_at, clock_adjtime, setns
      308,
      310,
      311,
      312,
      313,
      320,
      321,
      323, // process_vm_readv, process_vm_writev, kcmp, finit_module, kexec_file_load, bpf, userfaultfd
    ],
    clone: 56,
    unshare: 272,
    socket: [41, 53],
    ioctl: 16,
    mknod: [
      [133, 1],
      [259, 2],
    ],
    memfd: 319,
  },
  arm64: {
    audit: 0xc00000b7,
    refused: [
      18,
      39,
      40,
      41,
      42,
      51,
      58,
      60,
      89, // lookup_dcookie, umount2, mount, pivot_root, nfsservctl, chroot, vhangup, quotactl, acct
      104,
      105,
      106,
      112,
      116,
      117,
      142,
      161,
      162,
      170,
      // kexec_load, modules, clock_settime, syslog, ptrace, reboot, sethostname, setdomainname, settimeofday,
      // adjtimex
      171,
      217,
      218,
      219,
      224,
      225,
      238,
      239,
      241, // add_key, request_key, keyctl, swapon, swapoff, migrate_pages, move_pages, perf_event_open
      262,
      265,
      266,
      268,
      270,
      271,
      272,
      273,
      280,
      282,
      // fanotify_init, open_by_handle_at, clock_adjtime, setns, process_vm_readv, process_vm_writev, kcmp,
      // finit_module, bpf, userfaultfd, kexec_file_load
      294,
    ],
    clone: 220,
    unshare: 97,
    socket: [198, 199],
    ioctl: 29,
    mknod: [[33, 2]],
    memfd: 279,
  },
};

const EPERM = 1,
  ENOSYS = 38,
  EAFNOSUPPORT = 97;
/**
 * Every kind of namespace that clone and unshare can create: time, mounts, control groups, host name, IPC,
 * users, processes, network.
 */
const NAMESPACES = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000,
  TIME_NAMESPACE = 0x80;
/** unix, inet, inet6, netlink: other families, such as vsock, are not confined by a network namespace. */
const FAMILIES = [1, 2, 10, 16];
/** Injecting input into another terminal: TIOCSTI, TIOCLINUX. */
const TERMINAL = [0x5412, 0x541c];
const DEVICES = [0x2000, 0x6000],
  FILE_TYPE = 0xf000;

type Instruction = readonly [code: number, yes: number, no: number, value: number];
const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const and = (bits: number): Instruction => [0x54, 0, 0, bits];
/** Continues after `skip` instructions if the loaded value differs. */
const unlessIs = (value: number, skip: number): Instruction => [0x15, 0, skip, value];
const unlessHas = (bits: number, skip: number): Instruction => [0x45, 0, skip, bits];
const unlessFrom = (least: number, skip: number): Instruction => [0x35, 0, skip, least];
const answer = (value: number): Instruction => [0x06, 0, 0, value];
const ALLOW = answer(0x7fff0000),
  KILL = answer(0x80000000);
const fail = (errno: number): Instruction => answer(0x00050000 | errno);

const NUMBER = load(0),
  ARCHITECTURE = load(4);
/** The lower half of an argument, on little-endian machines. */
const argument = (place: number): Instruction => load(16 + 8 * place);

/**
 * The check of one call: other calls skip the body, which may overwrite the accumulator because it always
 * returns.
 */
const onCall = (call: number, body: readonly Instruction[]): Instruction[] => [
  unlessIs(call, body.length),
  ...body,
];

/** The program for a machine, in the kernel's format; null for an unknown architecture. */
export function syscallFilter(architecture: NodeJS.Architecture = process.arch): Buffer | null {
  const machine = MACHINES[architecture];
  if (machine === undefined) return null;
  const refuseIfHas = (place: number, bits: number): Instruction[] => [
    argument(place),
    unlessHas(bits >>> 0, 1),
    fail(EPERM),
    ALLOW,
  ];
  const refuseIfIs = (place: number, values: readonly number[], mask?: number): Instruction[] => [
    argument(place),
    ...(mask === undefined ? [] : [and(mask)]),
    ...values.flatMap((value) => [unlessIs(value, 1), fail(EPERM)]),
    ALLOW,
  ];
  const program: Instruction[] = [
    ARCHITECTURE,
    unlessIs(machine.audit, 1),
    [0x05, 0, 0, 1],
    KILL,
    NUMBER,
    ...(machine.foreign === undefined ? [] : [unlessFrom(machine.foreign, 1), fail(ENOSYS)]),
    ...[...machine.refused, ...NEWER].flatMap((call) => onCall(call, [fail(EPERM)])),
    // the C library has a fallback
    ...[CLONE3, machine.memfd].flatMap((call) => onCall(call, [fail(ENOSYS)])),
    ...onCall(machine.clone, refuseIfHas(0, NAMESPACES)),
    ...onCall(machine.unshare, refuseIfHas(0, NAMESPACES | TIME_NAMESPACE)),
    ...machine.socket.flatMap((call) =>
      onCall(call, [
        argument(0),
        ...FAMILIES.flatMap((family) => [unlessIs(family, 1), ALLOW]),
        fail(EAFNOSUPPORT),
      ]),
    ),
    ...onCall(machine.ioctl, refuseIfIs(1, TERMINAL)),
    ...machine.mknod.flatMap(([call, mode]) => onCall(call, refuseIfIs(mode, DEVICES, FILE_TYPE))),
    ALLOW,
  ];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [i, [code, yes, no, value]] of program.entries()) {
    bytes.writeUInt16LE(code, i * 8);
    bytes.writeUInt8(yes, i * 8 + 2);
    bytes.writeUInt8(no, i * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, i * 8 + 4);
  }
  return bytes;
}
