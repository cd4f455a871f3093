// The script that completes commands and options in bash. That of @bomb.sh/tab needs the package bash-completion, which
// a shell often has not loaded, evaluates the line (`$(...)` would run at Tab), and fails when it is read twice.

export const BASH_COMPLETION = `# bash completion for cairn; it needs nothing else
__cairn_complete() {
    local line=\${COMP_LINE:0:COMP_POINT} out value
    local -a words
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    local cur=\${words[\${#words[@]}-1]}
    # bash replaces what follows the last separator only
    local before=\${cur%"\${cur##*["$COMP_WORDBREAKS"]}"}
    [[ $cur == *[=:]* ]] || before=
    COMPREPLY=()
    out=$("\${words[0]}" complete -- "\${words[@]:1}" 2>/dev/null) || return
    # one a line, with a description behind a tab; the last line is a number behind a colon
    while IFS=$'\\t' read -r value _; do
        [[ $value == :* || -z $value ]] && continue
        [[ $cur == -*=* && $value != -* ]] && value=\${cur%%=*}=$value
        [[ $value == "$cur"* ]] && COMPREPLY+=("\${value#"$before"}")
    done <<<"$out"
}

# names of files, where there is nothing else
complete -o default -F __cairn_complete cairn
`;
