"""Names of Python's standard library, 2.7 to 3.14."""

MODULES = frozenset(
    """
    ConfigParser Cookie HTMLParser Queue SocketServer StringIO Tkinter __builtin__ __future__
    _thread abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore
    atexit audioop base64 bdb binascii bisect builtins bz2 cPickle cProfile cStringIO calendar
    cgi cgitb chunk cmath cmd code codecs codeop collections colorsys commands compileall
    compression concurrent configparser contextlib contextvars cookielib copy copyreg crypt csv
    ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings
    ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools
    gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http
    httplib idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword
    lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap
    modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers
    opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil
    platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr
    pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy
    sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket
    socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string
    stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib
    tempfile termios textwrap this thread threading time timeit tkinter token tokenize tomllib
    trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib
    urllib2 urlparse uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref
    xdrlib xml xmlrpc xmlrpclib zipapp zipfile zipimport zlib zoneinfo
    """.split()  # noqa: SIM905  one name a line would be pages
)
"""Modules: they win over files outside the folder of the importing script."""

MEMBERS = frozenset(
    """
    abort absolute accept aclose acquire add_alternative add_argument add_argument_group
    add_arguments add_attachment add_child_handler add_done_callback add_handler add_header
    add_mutually_exclusive_group add_note add_parent add_password add_reader add_related
    add_section add_signal_handler add_subparsers add_text add_unredirected_header add_usage
    add_writer addheader address_exclude adjusted ag_await ag_code ag_frame ag_running anchor
    annotation annotations append appendleft apply apply_async apply_defaults arguments
    arraysize as_bytes as_integer_ratio as_posix as_string as_tuple as_uri asctime_format
    asctime_search asend asname assertAlmostEqual assertAlmostEquals assertCountEqual
    assertDictContainsSubset assertDictEqual assertEqual assertEquals assertFalse assertGreater
    assertGreaterEqual assertIn assertIs assertIsInstance assertIsNone assertIsNot
    assertIsNotNone assertLess assertLessEqual assertListEqual assertLogs assertMultiLineEqual
    assertNoLogs assertNotAlmostEqual assertNotAlmostEquals assertNotEqual assertNotEquals
    assertNotIn assertNotIsInstance assertNotRegex assertNotRegexpMatches assertRaises
    assertRaisesRegex assertRaisesRegexp assertRegex assertRegexpMatches assertSequenceEqual
    assertSetEqual assertTrue assertTupleEqual assertWarns assertWarnsRegex assert_
    assert_any_await assert_any_call assert_awaited assert_awaited_once assert_awaited_once_with
    assert_awaited_with assert_called assert_called_once assert_called_once_with
    assert_called_with assert_has_awaits assert_has_calls assert_not_awaited assert_not_called
    astimezone at_eof athrow attach attach_loop attach_mock attrib auth_header auto_open
    await_args await_args_list await_count backup before_get before_read before_set before_write
    begin betavariate bind_partial bit_count bit_length blobopen body_encode braceidpattern
    broadcast_address broken buffer buffer_updated builtins bytes bytes_le c_contiguous cafile
    call_args call_args_list call_at call_count call_exception_handler call_later call_soon
    call_soon_threadsafe callback called can_write_eof cancel cancelled cancelling canonical
    capath capitalize capitals casefold catchbreak cause cell_contents center cert_store_stats
    characters_written check_cache check_hostname check_returncode check_unused_args chmod
    choice choices cipher clamp cleanup clear clear_cache clear_content clear_flags clear_traps
    clock_seq clock_seq_hi_variant clock_seq_low clone close closed closefd co_argcount
    co_cellvars co_code co_consts co_exceptiontable co_filename co_firstlineno co_flags
    co_freevars co_kwonlyargcount co_lines co_linetable co_lnotab co_name co_names co_nlocals
    co_positions co_posonlyargcount co_qualname co_stacksize co_varnames code_context combine
    comment commit communicate compare compare_networks compare_signal compare_total
    compare_total_mag compress compress_size compress_type compressed compression configure_mock
    conjugate connect connect_accepted_socket connect_ex connect_ftp connect_read_pipe
    connect_write_pipe connection connection_lost connection_made context contiguous
    convert_arg_line_to_args convert_field converter converters copy_abs copy_decimal
    copy_negate copy_sign count cr_await cr_code cr_frame cr_origin cr_running cr_suspended
    create_aggregate create_collation create_connection create_datagram_endpoint create_decimal
    create_decimal_from_float create_function create_future create_mock create_module
    create_server create_system create_task create_unix_connection create_unix_server
    create_version create_window_function critical cte_type ctime cursor daemon data_open
    data_received datagram_received date_time debug debuglevel decode decompress default
    default_exception_handler default_factory default_format default_msec_format default_port
    default_time_format defaults defining_class del_param deleter delimiter denominator derive
    description deserialize detach difference difference_update digits disable discard discover
    divide divide_int divmod do_handshake do_open do_request_ doublequote drain drive elements
    empty encode encoding end_col_offset end_lineno end_offset end_section endheaders endpos
    endswith endtransfer enter_async_context enter_context entity eof_received errno error
    error_received errors escapechar events exc_traceback exc_type exc_value exception
    exceptions exec_module execute executemany executescript exists expand expandtabs expanduser
    expired exploded exponent expovariate extend extendleft external_attr extra extract
    extract_version extractall f_back f_builtins f_code f_contiguous f_globals f_lasti f_lineno
    f_locals f_trace f_trace_lines f_trace_opcodes failfast family fatal feed_data feed_eof
    fetchall fetchmany fetchone field_spec fieldnames fields file_close file_open file_size
    filename filename2 fileno fileobj filter find_module find_spec find_user_password findall
    finditer findtext flag_bits flags flush fmt_spec fold_binary format format_field format_help
    format_map format_spec format_usage frame from_bytes from_callable from_decimal from_file
    from_float fromhex fromisocalendar fromisoformat fromkeys fromname fromnid fromordinal
    fromtimestamp fromutc ftp_open full_url fullmatch function gammavariate gauss generic_visit
    get_algorithm_impls get_all get_authorization get_body get_body_encoding get_boundary
    get_buffer get_ca_certs get_channel_binding get_charset get_charsets get_child_watcher
    get_ciphers get_cnonce get_code get_content get_content_charset get_content_disposition
    get_content_maintype get_content_subtype get_content_type get_coro get_debug get_default
    get_default_type get_entity_digest get_event_loop get_exception_handler get_extra_info
    get_field get_filename get_full_url get_header get_identifiers get_inheritable get_key
    get_loop get_map get_method get_name get_names get_nowait get_output_charset get_param
    get_params get_payload get_pid get_pipe_transport get_protocol get_returncode get_source
    get_stack get_task_factory get_unixfrom get_user_passwd get_value get_write_buffer_limits
    get_write_buffer_size getaddrinfo getallmatchingheaders getblocking getboolean getbuffer
    getcode getfloat getheader getheaders getinfo getint getlimit getnameinfo getpeercert
    getpeername getrandbits getresponse getroot getsockname getsockopt getstate getter
    gettimeout geturl getvalue gi_code gi_frame gi_running gi_suspended gi_yieldfrom globals
    group groupdict groupindex groups guard handle handle_defect handler_order hardlink_to
    has_header has_option has_proxy has_section has_ticket header_encode header_encode_lines
    header_fetch_parse header_items header_max_count header_offset header_source_parse
    header_store_parse headers hostmask hostname_checks_common_name hosts http_error
    http_error_301 http_error_302 http_error_303 http_error_307 http_error_308 http_error_401
    http_error_407 http_error_auth_reqed http_error_default http_open http_request http_response
    https_open https_request https_response ident idpattern imap_unordered in_transaction index
    indices inf_msg infolist insert internal_attr interrupt intersection intersection_update
    ipv4_mapped is_absolute is_active is_alive is_attachment is_authenticated is_block_device
    is_canonical is_char_device is_closed is_closing is_dir is_fifo is_file is_finite is_global
    is_infinite is_integer is_link_local is_loopback is_mount is_multicast is_multipart is_nan
    is_normal is_package is_private is_qnan is_reading is_relative_to is_reserved is_running
    is_safe is_serving is_set is_signed is_site_local is_snan is_socket is_subnormal is_suburi
    is_symlink is_unspecified is_valid is_zero isalnum isalpha isascii isatty isclosed isdecimal
    isdigit isdisjoint isidentifier islower isnumeric isocalendar isoformat isolation_level
    isoweekday isprintable isspace issubset issuperset istitle isupper item_separator items
    itemsize iter_attachments iter_parts iter_unpack iterdir iterdump iterencode iterfind
    itertext joinpath key_separator keylog_filename keywords kwarg kwargs kwonlyargs
    kwonlydefaults lastgroup lastindex lastrowid lchmod level limit_denominator line_buffering
    lineno linesep lineterminator link_to listen ljust load_cert_chain load_default_certs
    load_dh_params load_module load_verify_locations locals locked log10 logical_and
    logical_invert logical_or logical_xor lognormvariate longname lower lstat lstrip
    make_alternative make_mixed make_related makeelement makefile maketrans manager mangle_from_
    map_async match max_line_length max_mag max_prefixlen max_redirections max_repeats
    maximum_version maxlen maxsize message message_factory microsecond microseconds min_mag
    minimum_version minus minute mkdir mock_add_spec mock_calls modify module module_repr month
    most_common move_to_end multiply n_fields n_sequence_fields n_unnamed_fields n_waiting
    namelist names native_id nbytes new_child new_event_loop newlines next_minus next_plus
    next_toward nonlocals normalize normalvariate notify notify_all num_addresses num_tickets
    number_class numerator object offset open_data open_file open_ftp open_http open_https
    open_local_file open_unknown open_unknown_proxy openssl_cafile openssl_cafile_env
    openssl_capath openssl_capath_env optional_vars options optionxform orig_filename overlaps
    owner pack_into packed parameters parent parents paretovariate parse parse_args
    parse_intermixed_args parse_known_args parse_known_intermixed_args parser parties partition
    parts pattern pause_reading pause_writing pending pipe_connection_lost pipe_data_received
    pop_all popitem popleft post_handshake_auth power prefixlen print_file_and_line print_help
    print_stack print_usage printdir process process_exited prompt_user_passwd proto protocol
    proxy_open push_async_callback push_async_exit put_nowait putheader putrequest qsize
    quantize quotechar quoting radix raise_on_defect randbytes randint random randrange
    raw_decode raw_items read1 read_bytes read_dict read_events read_file read_string read_text
    readable readall readexactly readfp readinto readinto1 readline readlines readlink readonly
    readuntil ready real_close reason reconfigure recv_into recvfrom recvfrom_into recvmsg
    recvmsg_into redirect_internal redirect_request reduce_uri register register_defect
    relative_to release remainder remainder_near remove remove_child_handler
    remove_done_callback remove_header remove_option remove_reader remove_section
    remove_signal_handler remove_writer removeprefix removesuffix rename replace replace_header
    request reschedule reserved reset reset_mock reset_retry_count resolution resolve
    resolve_dir response_class result resultclass resume_reading resume_writing retrfile
    retrieve retry_http_basic_auth retry_http_digest_auth retry_https_basic_auth
    retry_proxy_http_basic_auth retry_proxy_https_basic_auth return_annotation return_value
    returns reverse reverse_pointer rfind rglob rindex rjust rmdir rollback rollover rotate
    rounding row_factory rowcount rpartition rsplit rstrip run_forever run_in_executor
    run_until_complete running safe_substitute same_quantum samefile sample scaleb scanner
    scope_id search second seconds sections security_level seekable select
    selected_alpn_protocol selected_npn_protocol send_signal sendall sendfile sendmsg
    sendmsg_afalg sendto sentence_end_re separator1 separator2 serialize serve_forever
    server_hostname server_side session session_reused session_stats set_alpn_protocols
    set_authorizer set_boundary set_charset set_child_watcher set_ciphers set_content set_debug
    set_debuglevel set_default_executor set_default_type set_default_verify_paths set_defaults
    set_ecdh_curve set_event_loop set_exception set_exception_handler set_http_debuglevel
    set_inheritable set_name set_npn_protocols set_param set_payload set_progress_handler
    set_protocol set_proxy set_raw set_result set_running_or_notify_cancel
    set_servername_callback set_task_factory set_trace_callback set_transport set_tunnel
    set_type set_unixfrom set_write_buffer_limits setblocking setdefault setinputsizes setlimit
    setoutputsize setpassword setsockopt setstate setter settimeout shape shared_ciphers shift
    shortname shuffle shutdown shutdown_asyncgens shutdown_default_executor side_effect
    signature sixtofour skipinitialspace sni_callback sniff sock_accept sock_connect sock_recv
    sock_recv_into sock_recvfrom sock_recvfrom_into sock_sendall sock_sendfile sock_sendto
    sockets split splitlines sslobject_class sslsocket_class starmap starmap_async start
    start_ns start_section start_serving start_tls startswith status stdout strerror strftime
    strides string strip strptime subgroup submit subnet_of subnets suboffsets subprocess_exec
    subprocess_shell substitute subtract successful suffix suffixes supernet supernet_of
    swapcase symlink_to symmetric_difference symmetric_difference_update target task_done
    tb_frame tb_lasti tb_lineno tb_next teredo terminate terminator testzip text_factory thread
    throw ticket_lifetime_hint time_hi_version time_low time_mid timeout timestamp timetuple
    timetz title to_bytes to_eng_string to_integral to_integral_exact to_integral_value
    to_sci_string tobytes today tokeneater tolist toordinal toreadonly total total_changes
    total_seconds touch translate transport triangular truncate type_comment tzinfo tzname
    unbound uncancel unicode_whitespace_trans uniform union universal_newlines unknown
    unknown_open unlink unpack unpack_from unregister unsafe unwrap update update_authenticated
    upper utcfromtimestamp utcnow utcoffset utctimetuple validate validation_pattern value
    values vararg varargs variant varkw verbosity verify_client_post_handshake verify_flags
    verify_mode version vformat visit volume vonmisesvariate wait_closed wait_for warning
    warnings weekday weibullvariate with_hostmask with_name with_netmask with_prefixlen
    with_stem with_suffix with_traceback wordsep_re wordsep_simple_re wrap_bio wrap_socket
    writable write write_bytes write_c14n write_eof write_text write_through writeheader
    writelines writepy writerow writerows writestr zfill
    """.split()  # noqa: SIM905  as above
)
"""Members of its classes: such a name says nothing about a definition of the same name."""
