# Sourced by .ci/run and .ci/nightly: what they need installed, and how they run suites and add up what these say.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec </dev/null

logs="$(mktemp -d)"
trap 'rm -rf "$logs"' EXIT

prepare() {
	install_missing
	node scripts/ensureInstalled.mjs
	local began=$SECONDS
	npm run --silent hosts
	installing_hosts=$((SECONDS - began))
	calculation="$(fixed_calculation)"
	echo "Prepared after $SECONDS s, of which n8n took $installing_hosts s. The fixed calculation takes $calculation ms here."
}

install_missing() {
	local missing=()
	# Without its ready-made binary, n8n's database driver is built here.
	command -v python3 >/dev/null || missing+=(python3)
	command -v make >/dev/null || missing+=(make)
	command -v g++ >/dev/null || missing+=(g++)
	command -v redis-server >/dev/null || missing+=(redis-server)
	compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
	command -v chromium >/dev/null || missing+=(chromium)
	[ "${#missing[@]}" -gt 0 ] || return 0
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
		echo "Missing, and not to be installed from here: ${missing[*]}"
		return 0
	fi
	# Debian may start the servers that it installs. The suites start their own.
	export RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive
	apt-get update -qq
	apt-get install -y -qq --no-install-recommends "${missing[@]}" ca-certificates
}

# How many milliseconds the same work takes on this machine, so that a slow machine is seen as one.
fixed_calculation() {
	node --eval '
		const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `Row ${id}`, tags: [id % 7, id % 11] }));
		const began = performance.now();
		for (let round = 0; round < 40; round++) JSON.parse(JSON.stringify(rows)).sort((a, b) => b.id - a.id);
		console.log(Math.round(performance.now() - began));'
}

# in_turn '<script> <arguments>'…
in_turn() {
	local script
	# shellcheck disable=SC2086 # Split into script and arguments.
	for script in "$@"; do suite $script; done
}

# suite <script> [argument…]: runs it, shows what it printed, and counts what its last lines say. One that ends badly, or
# counts nothing, counts as a failure at least.
suite() {
	local log="$logs/${*//[^a-z0-9]/-}" began=$SECONDS ended counts good bad
	npm run --silent "$1" -- "${@:2}" >"$log" 2>&1
	ended=$?
	counts="$(tail -n 100 "$log" | sed 's/\x1b\[[0-9;]*m//g' | count)"
	good="${counts% *}" bad="${counts#* }"
	if [ "$bad" -eq 0 ] && { [ "$ended" -ne 0 ] || [ "$good" -eq 0 ]; }; then bad=1; fi
	{
		flock 9
		printf '\n=== npm run %s\n' "$*"
		cat "$log"
		printf '%5d passed %4d failed %6d s  %s\n' "$good" "$bad" "$((SECONDS - began))" "$*" >>"$logs/summary"
	} 9>"$logs/lock"
}

# in_background <command>…: in a process group of its own, so that all of it can be ended.
in_background() {
	set -m
	"$@" &
	set +m
	trap 'kill -TERM -- $(jobs -p | sed s/^/-/); exit 130' INT TERM HUP
}

# "57 passed, 0 failed" as the suites close, or jest's "Tests: 1 failed, 2 skipped, 900 passed, 903 total".
count() {
	awk '
		/^Tests:/ || /^[0-9]+ passed, [0-9]+ failed$/ {
			good = bad = 0
			for (i = 2; i <= NF; i++) {
				if ($i ~ /^passed/) good = $(i - 1)
				if ($i ~ /^failed/) bad = $(i - 1)
			}
		}
		END { print good + 0, bad + 0 }'
}

# Prints the failures and the table, and ends with 1 if anything failed.
finish() {
	local passed failed took=$((SECONDS - installing_hosts))
	printf '\n'
	grep -hE '^ *(\[[0-9:]+\] ✗|●) ' "$logs"/* | grep -v '● Console$' | sort -u | head -n 40
	cat "$logs/summary"
	echo "All of it took $took s ($((took * 1000 / calculation)) fixed calculations), without the $installing_hosts s of installing n8n"
	read -r passed failed < <(awk '{ passed += $1; failed += $3 } END { print passed + 0, failed + 0 }' "$logs/summary")
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
}
