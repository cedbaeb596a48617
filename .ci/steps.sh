#!/usr/bin/env bash
# The steps of .ci/run, which calls this file once for each with the step's name.
# CI_WORK is a scratch folder that the steps of one run share; CI_TREE is `commit` or `worktree`.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
dev=$CI_WORK/dev # the clone with a development install; whichever step comes first makes it

export PIP_QUIET=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
unset PYTHONPATH PYTHONHOME VIRTUAL_ENV TIERCE_CPU TIERCE_DEBUG TIERCE_SANITIZE TIERCE_WERROR

# A clean tree in $1: what a fresh clone holds.
clone() {
    if [[ $CI_TREE == commit ]]; then
        git clone --quiet "file://$root" "$1"
    else
        mkdir -p "$1"
        (cd "$root" && git ls-files -z --cached --others --exclude-standard |
            while IFS= read -r -d '' file; do [[ ! -e $file ]] || printf '%s\0' "$file"; done |
            tar --null --files-from=- -cf -) | tar -xf - -C "$1"
    fi
}

develop() {
    if [[ ! -x $dev/.venv/bin/pytest ]]; then
        rm -rf "$dev"
        clone "$dev"
        python3 -m venv "$dev/.venv"
        "$dev/.venv/bin/pip" install -e "${dev}[dev]"
    fi
    cd "$dev"
    export PATH=$dev/.venv/bin:$PATH
}

# The two commands of the README, taken from it and run word for word, each in a fresh clone.
step_readme() {
    clone "$CI_WORK/solve"
    rm -rf "$dev"
    clone "$dev"
    for name in solve test; do
        local folder=$dev
        [[ $name == test ]] || folder=$CI_WORK/solve
        local command
        command=$(python3 "$folder/.ci/readme.py" "$name")
        printf '$ %s\n' "$command"
        (cd "$folder" && bash -euo pipefail -c "$command")
    done
}

step_lint() {
    develop
    local status=0
    ruff check . || status=1
    ruff format --check . || status=1
    mypy || status=1
    # The option: that a class written in C cannot share a subclass with another is nothing a .pyi needs to say.
    python -m mypy.stubtest --mypy-config-file pyproject.toml --ignore-disjoint-bases \
        tierce.solver.search._engine tierce.solver.hints._playouts tierce.solver.piles._piles || status=1
    cython-lint solver || status=1
    return "$status"
}

# The generated code is what the .proto files say; they pass buf's lint and format, and break nothing of the last release
# (a tag such as v0.1.0; before there is one, messages may still change). Then a client in another language asks a
# server. buf and gRPC for Node.js come from npm.
step_proto() {
    develop
    local status=0
    cp -r proto/tierce/v1 "$CI_WORK/v1"
    bash proto/generate.sh
    diff -r --exclude=__pycache__ proto/tierce/v1 "$CI_WORK/v1" || status=1
    npm install --silent --no-save --prefix "$CI_WORK/npm" @bufbuild/buf@1 @grpc/grpc-js@1 @grpc/proto-loader@0.7
    local buf=$CI_WORK/npm/node_modules/.bin/buf
    "$buf" lint proto || status=1
    "$buf" format proto --diff --exit-code || status=1
    local released
    released=$(git -C "$root" describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null || true)
    if [[ -n $released ]]; then
        "$buf" breaking proto --against "$root/.git#tag=$released,subdir=proto" || status=1
    fi
    NODE_PATH=$CI_WORK/npm/node_modules bash tests/service/node/run.sh || status=1
    return "$status"
}

# Every warning of gcc and Cython, and every performance hint, is an error.
step_werror() {
    develop
    TIERCE_WERROR=1 python setup.py -q build_ext --build-lib "$CI_WORK/werror/lib" --build-temp "$CI_WORK/werror/temp"
}

# sdist -> wheel -> an environment that holds nothing else, outside the repository.
step_package() {
    develop
    python -m build --outdir "$CI_WORK/dist" .
    mkdir "$CI_WORK/clean"
    cd "$CI_WORK/clean"
    tar -xzf "$CI_WORK"/dist/*.tar.gz --strip-components=1
    python3 -m venv "$CI_WORK/clean-venv"
    export PATH=$CI_WORK/clean-venv/bin:$PATH
    pip install "$CI_WORK"/dist/*.whl
    (cd / && tierce --version)
    local command
    command=$(python3 "$root/.ci/readme.py" solve)
    (cd / && eval "tierce ${command##*/tierce }")
    pip install "$(echo "$CI_WORK"/dist/*.whl)[test]"
    # What an installation can get wrong: its files, its commands, both builds of the search. The rest was run before.
    pytest tests/test_packaging.py tests/cli/test_help.py tests/cli/test_solve.py tests/games tests/solver
}

# The debug build under the address and undefined-behaviour sanitizers: the tests marked `small`, on both CPU paths.
# Leaks are not looked for: the interpreter itself keeps memory at exit. A finding ends the process at once, so
# pytest must leave the real stderr alone (--capture=sys) for the report to be seen.
step_sanitize() {
    clone "$CI_WORK/sanitize"
    cd "$CI_WORK/sanitize"
    python3 -m venv .venv
    TIERCE_DEBUG=1 TIERCE_SANITIZE=1 .venv/bin/pip install -e '.[test]'
    export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc
    local asan
    asan=$(gcc -print-file-name=libasan.so)
    for module in solver/search/_engine*.so solver/hints/_playouts*.so solver/piles/_piles*.so; do
        ldd "$module" | grep libasan || { echo "expected $module to be linked with libasan"; return 1; }
    done
    for cpu in baseline ''; do
        env ${cpu:+TIERCE_CPU=$cpu} LD_PRELOAD="$asan" \
            .venv/bin/python -m pytest -n 2 --dist loadfile --capture=sys -m "small and not slow"
    done
}

# The nodes of fixed positions must equal those kept in the repository, on both CPU paths.
step_bench() {
    develop
    python -m tierce.cli bench --check
    TIERCE_CPU=baseline python -m tierce.cli bench --check
}

# The page of a review in Chromium: the one that CHROMIUM names or that is on the path; else Debian's, which root may
# install.
step_browser() {
    develop
    if ! command -v "${CHROMIUM:-chromium}" >/dev/null; then
        if [[ -n ${CHROMIUM:-} || $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
            echo "expected ${CHROMIUM:-chromium} on the path (apt-get install chromium, or CHROMIUM=name), found none" >&2
            return 1
        fi
        apt-get -qq update
        DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends chromium fonts-liberation >/dev/null
    fi
    pytest -m browser --basetemp "$CI_WORK/browser"
}

# Slow tests for five minutes, in an order drawn anew each time; the printed seed repeats it. The last one begun may
# end later; one that hangs is interrupted, and the step fails.
step_slow() {
    develop
    timeout --signal=INT --kill-after=20 480 python .ci/slow.py --minutes 5
}

"step_$1"
