# What a tool tries from inside of the sandbox: each line of its output is one attempt and what came of it.
import ctypes, errno, json, os, platform, signal, socket, stat, subprocess, sys

libc = ctypes.CDLL(None, use_errno=True)
X64 = platform.machine() == 'x86_64'
outcomes = {}


def call(name, x64, arm64, *args):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(x64 if X64 else arm64), *[ctypes.c_long(a) if isinstance(a, int) else a for a in args])
    outcomes[name] = 'done' if result >= 0 else errno.errorcode.get(ctypes.get_errno(), 'failed')
    return result


def attempt(name, work):
    try:
        outcomes[name] = work() or 'done'
    except OSError as fault:
        outcomes[name] = errno.errorcode.get(fault.errno, 'failed')
    except subprocess.CalledProcessError:
        outcomes[name] = 'failed'


def write(place, text='x'):
    with open(place, 'w') as file:
        file.write(text)


def again(place):
    """Writes what is there: does no harm where it succeeds."""
    with open(place) as file:
        text = file.read()
    write(place, text)


secret, server, host = sys.argv[1:4]
run = lambda *words: subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

# mounts and file system
attempt('remount /usr', lambda: run('mount', '-o', 'remount,rw,bind', '/usr'))
call('mount', 165, 40, b'none', os.getcwd().encode(), b'tmpfs', 0, 0)
call('remount by call', 165, 40, None, b'/usr', None, 32 | 4096, None)
call('fsopen', 430, 430, b'tmpfs', 0)
call('open_tree', 428, 428, -100, b'/usr', 1)
call('umount', 166, 39, b'/proc', 2)
call('pivot_root', 155, 41, b'.', b'.')
call('chroot', 161, 51, b'.')
for place in ['/usr', '/etc', '/', '/dev', '/proc', '/opt', '/run']:
    attempt('write ' + place, lambda: write(place + '/cairn-hacked'))
attempt('shadow', lambda: open('/etc/shadow').read() and None)
attempt('list /root', lambda: ','.join(os.listdir('/root')) if os.path.isdir('/root') else 'none')
attempt('secret', lambda: open(secret).read() and None)
call('open_by_handle_at', 304, 265, -100, ctypes.create_string_buffer(128), 0)

# devices
attempt('mknod disk', lambda: os.mknod('disk', 0o600 | stat.S_IFBLK, os.makedev(254, 0)))
attempt('mknod memory', lambda: os.mknod('memory', 0o600 | stat.S_IFCHR, os.makedev(1, 1)))
attempt('fifo', lambda: os.mkfifo('fifo'))
attempt('set-user-id', lambda: run('sh', '-c', 'cp /usr/bin/id id && chmod 6755 id && test "$(./id -ru)" != "$(./id -u)"'))
attempt('su', lambda: run('su', 'root', '-c', 'true'))
outcomes['devices'] = ','.join(sorted(name for name in os.listdir('/dev') if stat.S_ISBLK(os.lstat('/dev/' + name).st_mode) or name in ('mem', 'kmsg', 'kvm', 'fuse', 'vsock'))) or 'none'

# processes
pids = [int(name) for name in os.listdir('/proc') if name.isdigit()]
outcomes['server is seen'] = str(int(server) in pids and any('vitest' in open(f'/proc/{pid}/cmdline').read() for pid in pids))
environs = []
for pid in pids:
    try:
        environs.append(open(f'/proc/{pid}/environ', 'rb').read())
    except OSError:
        pass
outcomes['secret in an environment'] = str(any(b'CAIRN_TEST_SECRET' in text for text in environs))
attempt('signal the server', lambda: os.kill(int(server), 0))
call('ptrace', 101, 117, 1, os.getppid(), 0, 0)  # looks, and does not attach: that would stop its parent
call('process_vm_readv', 310, 270, os.getppid(), 0, 0, 0, 0, 0)
call('kcmp', 312, 272, os.getpid(), os.getppid(), 0, 0, 0)

# namespaces and the kernel
for name, flag in [('users', 0x10000000), ('mounts', 0x20000), ('network', 0x40000000), ('processes', 0x20000000)]:
    call('unshare ' + name, 272, 97, flag)
pid = call('clone users', 56, 220, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0)
if pid == 0:
    os._exit(0)
call('clone3', 435, 435, 0, 0)
attempt('setns', lambda: libc.setns(os.open('/proc/self/ns/mnt', os.O_RDONLY), 0) and (_ for _ in ()).throw(OSError(ctypes.get_errno(), '')))
for name, x64, arm64 in [('bpf', 321, 280), ('perf_event_open', 298, 241), ('userfaultfd', 323, 282), ('io_uring_setup', 425, 425), ('init_module', 175, 105), ('finit_module', 313, 273), ('kexec_load', 246, 104), ('reboot', 169, 142), ('syslog', 103, 116), ('add_key', 248, 217), ('request_key', 249, 218), ('keyctl', 250, 219), ('swapon', 167, 224), ('sethostname', 170, 161), ('settimeofday', 164, 170), ('memfd_create', 319, 279)]:
    call(name, x64, arm64, 0, 0, 0, 0, 0)

# what the kernel shows of itself
for place in ['sys/kernel/core_pattern', 'sys/kernel/modprobe', 'sys/kernel/hostname', 'sys/vm/overcommit_memory', 'sys/kernel/yama/ptrace_scope']:
    if os.path.exists('/proc/' + place):
        attempt('write /proc/' + place, lambda: again('/proc/' + place))
for place in ['sysrq-trigger', 'keys', 'kcore', 'kmsg', 'kallsyms']:
    attempt('read /proc/' + place, lambda: (open('/proc/' + place, 'rb').read(64) and None) or 'empty')
outcomes['sys'] = str(os.path.exists('/sys/kernel'))

# rights
status = dict(line.rstrip('\n').split(':', 1) for line in open('/proc/self/status') if ':' in line)
for name in ['CapPrm', 'CapEff', 'CapBnd', 'CapAmb', 'NoNewPrivs', 'Seccomp']:
    outcomes[name] = status[name].strip()
outcomes['uid'] = str(os.getuid())
attempt('setuid', lambda: os.setuid(0))
attempt('terminal', lambda: open('/dev/tty') and None)

# network
for name, family, kind in [('vsock', 40, 1), ('packet', 17, 3), ('alg', 38, 5), ('bluetooth', 31, 3)]:
    attempt('socket ' + name, lambda: socket.socket(family, kind).close())
attempt('connect host', lambda: socket.create_connection((host.split(':')[0], int(host.split(':')[1])), 5).close())
attempt('connect elsewhere', lambda: socket.create_connection(('192.0.2.1', 80), 5).close())
attempt('raw socket', lambda: socket.socket(2, 3, 1).close())

json.dump(outcomes, sys.stdout, indent=1)
